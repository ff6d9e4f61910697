/** What the training told of itself, live: its metrics over steps or time, how fast it goes, what holds it up. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JobDetail } from '@/api/jobs';
import { getMetrics, metricKeys } from '@/api/metrics';
import type { JobMetrics, MetricsQuery } from '@/api/metrics';
import { useT } from '@/app/i18n';
import { isActive } from '@/parts/jobs/actions';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import type { JobSearch } from '../search';
import { HowToLog } from './HowToLog';
import { MetricCharts } from './MetricCharts';
import { MetricsToolbar } from './MetricsToolbar';
import { Progress } from './Progress';
import style from './Metrics.module.css';

const EVERY_MS = 3000;
const POINTS = 500;
/** Of each task, where all are shown. */
const FEWER_POINTS = 200;
const TOTAL_STEPS = 'total_steps';

interface Props {
  job: JobDetail;
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
}

export function MetricsPanel({ job, search, onChange }: Props) {
  const t = useT();
  if (job.attempt === 0)
    return (
      <EmptyState icon="score" title={t('metrics.notYet')}>
        {t('metrics.notYetText')}
      </EmptyState>
    );
  return <Told job={job} search={search} onChange={onChange} />;
}

function Told({ job, search, onChange }: Props) {
  const t = useT();
  const active = isActive(job.state);
  const query = asked(search);
  const metrics = useQuery({
    queryKey: metricKeys.job(job.id, query),
    queryFn: ({ signal }) => getMetrics(job.id, query, signal),
    placeholderData: keepPreviousData,
    // Not while the page is hidden: the next look brings all that was missed.
    refetchInterval: active && EVERY_MS,
  });
  if (metrics.isPending) return <Skeleton rows={8} />;
  if (!metrics.data) return <ErrorState error={metrics.error} retry={() => void metrics.refetch()} />;
  const data = withoutTotal(metrics.data, search.metric);
  if (data.names.length === 0) return <HowToLog active={active} />;
  return (
    <>
      <MetricsToolbar names={data.names} search={search} onChange={onChange} />
      <div className={style.panel} data-dimmed={metrics.isPlaceholderData || undefined}>
        <Progress metrics={data} active={active} />
        {data.series.length === 0 ? (
          <EmptyState icon="filter" title={t('metrics.noneMatch')}>
            {t('metrics.noneMatchText')}
          </EmptyState>
        ) : (
          <MetricCharts job={job} metrics={data} search={search} />
        )}
      </div>
    </>
  );
}

function asked({ metric, task, tasks, attempt, axis }: JobSearch): MetricsQuery {
  const every = tasks === 'all' && task === undefined;
  return {
    points: every ? FEWER_POINTS : POINTS,
    ...(metric && { name: metric }),
    ...(task !== undefined && { task }),
    ...(attempt !== undefined && { attempt }),
    ...(axis === 'time' && { by: axis }),
    ...(every && { all_tasks: true }),
  };
}

/** How many steps there will be is told above all parts: it is a chart only for those who ask for it. */
function withoutTotal(told: JobMetrics, chosen: string[] | undefined): JobMetrics {
  if (told.total_steps === null || chosen?.includes(TOTAL_STEPS)) return told;
  return { ...told, series: told.series.filter(({ name }) => name !== TOTAL_STEPS) };
}
