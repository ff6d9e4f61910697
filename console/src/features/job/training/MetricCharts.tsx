/** The charts of the metrics: small ones side by side, with one cursor for all. */
import { lazy, Suspense, useCallback, useMemo } from 'react';
import type { JobDetail } from '@/api/jobs';
import type { JobMetrics } from '@/api/metrics';
import { useLocale, useT } from '@/app/i18n';
import type { JobSearch } from '../search';
import { chartsOf, resumePoints } from '@/parts/metrics/charts';
import { formatMetric } from '@/parts/metrics/format';
import type { MetricChart } from '@/parts/metrics/charts';
import layout from '@/ui/page/layout.module.css';
import style from './Metrics.module.css';

const LiveChart = lazy(() => import('@/ui/chart/LiveChart'));
const TALL = 320;

interface Props {
  job: JobDetail;
  metrics: JobMetrics;
  search: JobSearch;
}

export function MetricCharts({ job, metrics, search }: Props) {
  const t = useT();
  const locale = useLocale();
  const { charts: arrangement = 'each', axis = 'step', smooth = 0, scale, attempt } = search;
  const moments = useMemo(
    () => (attempt === undefined ? resumePoints(job.attempts, axis, (number) => t('log.attemptNumber', { number })) : []),
    [job.attempts, axis, attempt, t],
  );
  const charts = useMemo(
    // A pause has no steps, but it takes time.
    () =>
      chartsOf(
        metrics,
        { arrangement, axis, smoothing: smooth / 100, logarithmic: scale === 'log' },
        axis === 'time' ? moments.map(({ at }) => at) : [],
      ),
    [metrics, arrangement, axis, smooth, scale, moments],
  );
  const steps = useCallback((step: number) => t('metrics.atStep', { step: step.toLocaleString(locale) }), [t, locale]);
  const sections = [...new Set(charts.map(({ section }) => section))];
  return sections.map((section) => (
    <section key={section} aria-label={section || t('tab.metrics')}>
      {section !== '' && <h2 className={style.section}>{section}</h2>}
      <div className={style.grid} data-single={charts.length === 1 || undefined}>
        {charts
          .filter((chart) => chart.section === section)
          .map((chart) => (
            <div key={chart.title} className={layout.shrinks}>
              <ChartTitle chart={chart} />
              <Suspense fallback={<div className={style.room} />}>
                <LiveChart
                  label={chart.title || t('metrics.together')}
                  times={chart.x}
                  series={chart.series}
                  format={formatMetric}
                  sync={`metrics-${job.id}-${axis}`}
                  steps={axis === 'step' ? steps : undefined}
                  logarithmic={scale === 'log'}
                  moments={moments}
                  fitted
                  {...(charts.length === 1 && { height: TALL })}
                />
              </Suspense>
            </div>
          ))}
      </div>
    </section>
  ));
}

function ChartTitle({ chart: { title, section } }: { chart: MetricChart }) {
  const t = useT();
  const Heading = section === '' ? 'h2' : 'h3';
  return <Heading className={style.title}>{title || t('metrics.together')}</Heading>;
}
