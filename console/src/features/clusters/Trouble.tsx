/** What stands against adding or changing a cluster: what it lacks, or what went wrong. */
import { useEffect, useRef } from 'react';
import { ApiError } from '@/api/problem';
import type { ClusterReport } from '@/api/types';
import { useT } from '@/app/i18n';
import { Notice } from '@/ui/Panel';
import { errorText } from '@/ui/States';
import { mistakesOf } from './draft';
import { Findings } from './Findings';
import style from './Clusters.module.css';

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
  return <div ref={place} className={style.told}><Told report={report} error={error} /></div>;
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
  if (standsAtFields(error)) return null;
  if (error) return <Notice tone="red" icon="warning" title={errorText(error, t)} role="alert" />;
  if (!report) return null;
  return (
    <Notice tone={report.ready ? 'green' : 'red'} icon={report.ready ? 'done' : 'warning'} title={t(report.ready ? 'clusters.readyText' : 'clusters.notReady')} role="status">
      <Findings findings={report.findings} />
    </Notice>
  );
}

/** Whether every mistake is told beside what was typed. */
function standsAtFields(error: unknown): boolean {
  const places = Object.keys(mistakesOf(error));
  return places.length > 0 && !places.includes('');
}

/** What a cluster lacked that was refused for it. */
export function lackOf(error: unknown) {
  return error instanceof ApiError ? error.problem.findings : undefined;
}
