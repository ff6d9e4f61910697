/** The metrics of several jobs over each other, and their last values. */
import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import type { JobDetail } from '@/api/jobs';
import { getMetrics, metricKeys } from '@/api/metrics';
import type { JobMetrics } from '@/api/metrics';
import { useLocale, useT } from '@/app/i18n';
import { isActive } from '@/parts/jobs/actions';
import { chartsOf } from '@/parts/metrics/charts';
import { formatMetric } from '@/parts/metrics/format';
import { EmptyState, Skeleton } from '@/ui/page/States';
import { Panel } from '@/ui/page/Panel';
import { joinedSeries, lastValues } from './joined';
import type { CompareSearch } from './search';
import { Values } from './Values';
import layout from '@/ui/page/layout.module.css';
import style from './Compare.module.css';

const LiveChart = lazy(() => import('@/ui/chart/LiveChart'));
const POINTS = { points: 300 };
const EVERY_MS = 5000;
const HEIGHT = 240;

export function Curves({ jobs, search: { scale, smooth = 0 } }: { jobs: JobDetail[]; search: CompareSearch }) {
  const t = useT();
  const locale = useLocale();
  const answers = useQueries({
    queries: jobs.map((job) => ({
      queryKey: metricKeys.job(job.id, POINTS),
      queryFn: ({ signal }: { signal: AbortSignal }) => getMetrics(job.id, POINTS, signal),
      refetchInterval: isActive(job.state) && EVERY_MS,
    })),
    combine: (all) => ({ pending: all.every(({ isPending }) => isPending), told: all.map(({ data }) => data) }),
  });
  const { told } = answers;
  const series = useMemo(() => joinedSeries(jobs, told), [jobs, told]);
  const charts = useMemo(
    () => chartsOf({ series }, { arrangement: 'each', axis: 'step', smoothing: smooth / 100, logarithmic: scale === 'log' }),
    [series, smooth, scale],
  );
  const steps = useCallback((step: number) => t('metrics.atStep', { step: step.toLocaleString(locale) }), [t, locale]);
  if (answers.pending) return <Skeleton rows={8} />;
  if (charts.length === 0)
    return (
      <EmptyState small icon="chart" title={t('compare.none')}>
        {t('compare.noneText')}
      </EmptyState>
    );
  return (
    <>
      <section className={style.charts} aria-label={t('compare.charts')}>
        {charts.map((chart) => (
          <div key={chart.title} className={layout.shrinks}>
            <h2 className={style.title}>{chart.title}</h2>
            <Suspense fallback={<div style={{ height: HEIGHT }} />}>
              <LiveChart
                label={chart.title}
                times={chart.x}
                series={chart.series}
                format={formatMetric}
                steps={steps}
                sync="compare"
                logarithmic={scale === 'log'}
                fitted
                height={HEIGHT}
              />
            </Suspense>
          </div>
        ))}
      </section>
      <LastValues jobs={jobs} told={told} />
    </>
  );
}

function LastValues({ jobs, told }: { jobs: JobDetail[]; told: (JobMetrics | undefined)[] }) {
  const t = useT();
  return (
    <Panel title={t('compare.last')} flush>
      <Values label={t('compare.last')} jobs={jobs} head={t('tab.metrics')} rows={lastValues(told)} />
    </Panel>
  );
}
