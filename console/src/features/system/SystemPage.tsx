/** What is weak about this installation, the worst first, and how to mend it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '@/api/client';
import { examineSystem, systemKeys } from '@/api/system';
import type { SystemReport, Weakness } from '@/api/system';
import { useSentence, useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Notice, Page } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import type { Tone } from '@/ui/words/Status';
import { Copy } from '@/ui/words/clipboard';
import ink from '@/ui/theme/ink.module.css';

const SEVERITIES: Record<Weakness['severity'], { icon: IconName; tone: Tone; word: MessageKey }> = {
  high: { icon: 'failed', tone: 'red', word: 'system.severity.high' },
  medium: { icon: 'warning', tone: 'amber', word: 'system.severity.medium' },
  low: { icon: 'bulb', tone: 'grey', word: 'system.severity.low' },
};

const AREAS: Record<Weakness['area'], MessageKey> = {
  tasks: 'system.area.tasks',
  network: 'system.area.network',
  files: 'system.area.files',
  accounts: 'system.area.accounts',
  records: 'system.area.records',
};

export function SystemPage() {
  const t = useT();
  const report = useQuery({ queryKey: systemKeys.doctor, queryFn: ({ signal }) => examineSystem(signal) });
  const again = (
    <Button variant="default" leftSection={<Icon name="restart" />} loading={report.isFetching} onClick={() => void report.refetch()}>
      {t('system.again')}
    </Button>
  );
  return (
    <Page title={t('system.title')} actions={again}>
      <p className={ink.fine}>{t('system.text')}</p>
      <p className={ink.fine}>
        {t('system.figures')} <a href={`${basePath}/metrics`}>/metrics</a>
      </p>
      {report.isPending && <Skeleton rows={6} />}
      {report.error && <ErrorState error={report.error} retry={() => void report.refetch()} />}
      {report.data && <Report report={report.data} />}
    </Page>
  );
}

function Report({ report: { ok, checked, weaknesses } }: { report: SystemReport }) {
  const t = useT();
  const areas = checked.map((area) => t(AREAS[area])).join(t('system.comma'));
  return (
    <>
      {ok && (
        <Notice tone="green" icon="done" title={t('system.ok')} role="status">
          {t('system.checked', { areas })}
        </Notice>
      )}
      {weaknesses.map((weakness) => (
        <Weak key={weakness.code} weakness={weakness} />
      ))}
      {!ok && <p className={ink.fine}>{t('system.checked', { areas })}</p>}
    </>
  );
}

function Weak({ weakness: { code, area, severity, text, fix } }: { weakness: Weakness }) {
  const t = useT();
  const say = useSentence();
  const { icon, tone, word } = SEVERITIES[severity];
  return (
    <Notice
      tone={tone}
      icon={icon}
      title={
        <>
          {t(word)} · {t(AREAS[area])} · <code>{code}</code>
        </>
      }
    >
      <p>{say(text)}</p>
      <p>
        {t('system.fix')} <span>{say(fix)}</span> <Copy text={say(fix)} label={t('system.copyFix')} size={22} />
      </p>
    </Notice>
  );
}
