/** Cells of a job on its way: where it runs, how far it is, and what it reported last. */
import type { JobRow } from '@/api/jobs';
import { useLocale, useT } from '@/app/i18n';
import { rowProgress } from '@/parts/jobs/progress';
import { formatMetric } from '@/parts/metrics/format';
import { useNow } from '@/ui/words/clock';
import { formatDuration } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from './Jobs.module.css';

/** For what a job does not have. */
const NONE = <span className={ink.quiet}>–</span>;

export function Nodes({ names }: { names: string[] }) {
  if (names.length === 0) return NONE;
  return (
    <span title={names.join(', ')}>
      {names[0]}
      {names.length > 1 && <span className={ink.fine}> +{names.length - 1}</span>}
    </span>
  );
}

export function Progress({ job }: { job: JobRow }) {
  const t = useT();
  const locale = useLocale();
  const progress = rowProgress(job, useNow(5000));
  if (!progress) return NONE;
  const { share, by, done, of } = progress;
  const words =
    by === 'steps'
      ? t('jobs.bySteps', { done: done.toLocaleString(locale), of: of.toLocaleString(locale) })
      : t(by === 'expected' ? 'jobs.byExpected' : 'jobs.byMost', { done: formatDuration(done, t), of: formatDuration(of, t) });
  const late = by !== 'steps' && share >= 1;
  return (
    <span className={style.progress} title={words} data-tone={late ? 'amber' : 'blue'}>
      <span className={style.track}>
        <i style={{ width: `${share * 100}%` }} />
      </span>
      {Math.floor(share * 100)} %
    </span>
  );
}

export function Metric({ latest }: { latest: JobRow['latest'] }) {
  const t = useT();
  const locale = useLocale();
  if (!latest?.metric) return NONE;
  const { metric, value, step } = latest;
  const said = value === null ? 'NaN' : formatMetric(value);
  return (
    <span title={t('jobs.metricAt', { metric, value: said, step: step.toLocaleString(locale) })}>
      <span className={ink.fine}>{metric}</span> {said}
    </span>
  );
}
