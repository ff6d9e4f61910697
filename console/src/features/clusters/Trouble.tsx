/** What stands against adding or changing a cluster: what it lacks, or what went wrong. */
import { useEffect, useRef } from 'react';
import type { ClusterReport } from '@/api/clusters';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { mistakesIn } from '@/parts/mistakes';
import type { IconName } from '@/ui/icons';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import type { Tone } from '@/ui/words/Status';
import { Findings } from './Findings';
import layout from '@/ui/page/layout.module.css';

const OUTCOMES: Record<'ready' | 'withLess' | 'notReady', { tone: Tone; icon: IconName; title: MessageKey }> = {
  ready: { tone: 'green', icon: 'done', title: 'clusters.readyText' },
  withLess: { tone: 'amber', icon: 'warning', title: 'clusters.readyWithLess' },
  notReady: { tone: 'red', icon: 'warning', title: 'clusters.notReady' },
};

interface Props {
  /** What a look at it found. */
  report: ClusterReport | undefined;
  error: unknown;
}

/** Whatever is new in it is brought into view: forms are long. */
export function Trouble({ report, error }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (report || error) place.current?.scrollIntoView({ block: 'nearest' });
  }, [report, error]);
  return (
    <div ref={place} className={layout.told}>
      <Told report={report} error={error} />
    </div>
  );
}

function Told({ report, error }: Props) {
  const t = useT();
  const refused = lackOf(error);
  if (refused) {
    return (
      <Notice tone="red" icon="warning" title={t('clusters.notReady')} role="alert">
        <p>{t('clusters.notReadyText')}</p>
        <Findings findings={refused} />
      </Notice>
    );
  }
  if (error && !mistakesIn(error).untold) return null;
  if (error) return <Notice tone="red" icon="warning" title={errorText(error, t)} role="alert" />;
  if (!report) return null;
  const { tone, icon, title } =
    OUTCOMES[!report.ready ? 'notReady' : report.findings.some(({ level }) => level === 'warning') ? 'withLess' : 'ready'];
  return (
    <Notice tone={tone} icon={icon} title={t(title)} role="status">
      <Findings findings={report.findings} />
    </Notice>
  );
}

/** What a cluster lacked that was refused for it. */
export function lackOf(error: unknown) {
  return error instanceof ApiError ? error.problem.findings : undefined;
}
