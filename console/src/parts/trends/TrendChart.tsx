/** How the machines were used over days, weeks and months: held, queued, use and waiting time, of everybody, a project or a person. */
import '@/ui/theme/kit-forms.css';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useId, useMemo, useState } from 'react';
import type { JobClass } from '@/api/rules/flavors';
import { getTrends, trendKeys, trendsCsv } from '@/api/trends';
import type { TrendQuery, Trends } from '@/api/trends';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { className } from '@/parts/quotas/words';
import { personSeries } from '@/ui/theme/palette';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { chartsOf, hiddenLines, isEmpty } from './charts';
import lists from '@/ui/table/lists.module.css';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Trends.module.css';

const LiveChart = lazy(() => import('@/ui/chart/LiveChart'));

type By = TrendQuery['by'];
type TrendRange = 'day' | 'week' | 'month' | 'quarter';

const RANGES: Record<TrendRange, { label: MessageKey; since: string; step: TrendQuery['step'] }> = {
  day: { label: 'trend.day', since: '-1d', step: 'hour' },
  week: { label: 'trend.week', since: '-7d', step: 'hour' },
  month: { label: 'trend.month', since: '-30d', step: 'day' },
  quarter: { label: 'trend.quarter', since: '-91d', step: 'week' },
};
const BY_WORDS: Record<By, MessageKey> = {
  model: 'trend.byModel',
  class: 'trend.byClass',
  project: 'trend.byProject',
  user: 'trend.byUser',
};
const REFRESH_MS = 300_000;

interface Props {
  project?: string | undefined;
  user?: string | undefined;
  model?: string | undefined;
  jobClass?: JobClass | undefined;
}

export function TrendChart({ project, user, model, jobClass }: Props) {
  const t = useT();
  const given: Record<By, unknown> = { project, user, model, class: jobClass };
  const ways = (Object.keys(BY_WORDS) as By[]).filter((by) => given[by] === undefined);
  const [chosen, setChosen] = useState<By>('model');
  const [range, setRange] = useState<TrendRange>('week');
  const by = ways.includes(chosen) ? chosen : (ways[0] ?? 'model');
  const { since, step } = RANGES[range];
  const query: TrendQuery = { since, step, by, project, user, model, class: jobClass };
  const trends = useQuery({
    queryKey: trendKeys.of(query),
    queryFn: ({ signal }) => getTrends(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <div className={layout.stack}>
      <div className={lists.filters}>
        <SegmentedControl
          aria-label={t('trend.range')}
          data={(Object.keys(RANGES) as TrendRange[]).map((value) => ({ value, label: t(RANGES[value].label) }))}
          value={range}
          onChange={(value) => setRange(value as TrendRange)}
        />
        <NativeSelect
          aria-label={t('trend.by')}
          data={ways.map((value) => ({ value, label: t(BY_WORDS[value]) }))}
          value={by}
          onChange={(event) => setChosen(event.currentTarget.value as By)}
        />
        <a className={style.csv} href={trendsCsv(query)} download>
          <Icon name="download" size={14} />
          {t('trend.csv')}
        </a>
      </div>
      {trends.isPending && <Skeleton rows={6} />}
      {trends.isError && !trends.data && <ErrorState small error={trends.error} retry={() => void trends.refetch()} />}
      {trends.data && (
        // The drawing itself is fetched too; where that fails, the rest of the page stays.
        <CatchBoundary getResetKey={() => range} errorComponent={({ error, reset }) => <ErrorState small error={error} retry={reset} />}>
          <Charts trends={trends.data} by={by} stale={trends.isPlaceholderData} />
        </CatchBoundary>
      )}
    </div>
  );
}

function Charts({ trends, by, stale }: { trends: Trends; by: By; stale: boolean }) {
  const t = useT();
  const sync = useId();
  const charts = useMemo(
    () => chartsOf(trends, (key) => lineName(key, by, t), t, by === 'user' ? personSeries : undefined),
    [trends, by, t],
  );
  const hidden = hiddenLines(trends);
  if (isEmpty(trends))
    return (
      <EmptyState small icon="chart" title={t('trend.none')}>
        {t('trend.noneText')}
      </EmptyState>
    );
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <div className={style.charts} data-dimmed={stale || undefined}>
        {charts.map((chart) => (
          <div key={chart.label} className={layout.shrinks}>
            <h3 className={style.title}>{chart.label}</h3>
            <LiveChart {...chart} height={160} sync={sync} />
          </div>
        ))}
      </div>
      {hidden > 0 && <p className={ink.fine}>{t('trend.hidden', { count: hidden })}</p>}
    </Suspense>
  );
}

/** What is beyond the largest lines comes as one; what has no GPUs is counted in processors. */
function lineName(key: string, by: By, t: Translate): string {
  if (key === 'others') return t('trend.others');
  if (by === 'model' && key === 'cpu') return t('trend.cpu');
  return by === 'class' ? className(key, t) : key || t('trend.everything');
}
