/** What the tasks use of what they were given: CPU, memory, GPUs. */
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import type { JobDetail } from '@/api/jobs';
import { getJobUsage, usageKeys } from '@/api/usage';
import type { TaskUsage } from '@/api/usage';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { isActive } from '@/parts/jobs/actions';
import { useNow } from '@/ui/words/clock';
import { formatBytes } from '@/ui/words/format';
import type { Unit } from '@/ui/chart/axis';
import { Notice } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { JobFit } from './top/JobFit';
import { hasUnmeasuredGpus, isUnmeasured, jointPlots, taskPlots, windowOf } from './plots';
import type { Plot, Quantity } from './plots';
import { PLOT_WINDOWS } from './search';
import type { JobSearch, PlotWindow } from './search';
import layout from '@/ui/page/layout.module.css';
import style from './training/Metrics.module.css';

const LiveChart = lazy(() => import('@/ui/chart/LiveChart'));
const POINTS = 300;
const LEAST_INTERVAL_MS = 2000;

const WINDOW_WORDS: Record<PlotWindow, MessageKey> = {
  '15m': 'plots.quarter',
  '1h': 'plots.hour',
  '6h': 'plots.sixHours',
  all: 'plots.all',
};
const TITLES: Record<Quantity, MessageKey> = {
  cpus: 'plots.cpus',
  memory: 'plots.memory',
  busy: 'plots.busy',
  gpuMemory: 'plots.gpuMemory',
};
const UNITS: Record<Quantity, Unit> = { cpus: 'number', memory: 'bytes', busy: 'percent', gpuMemory: 'bytes' };
const FORMATS: Record<Quantity, (value: number) => string> = {
  // A mostly idle core is not none.
  cpus: (value) => String(Number(value.toFixed(value < 10 ? 2 : 1))),
  memory: (value) => formatBytes(Math.round(value)),
  busy: (value) => `${Math.round(value)} %`,
  gpuMemory: (value) => formatBytes(Math.round(value)),
};

interface Props {
  job: JobDetail;
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
}

export function PlotsPanel({ job, search, onChange }: Props) {
  const t = useT();
  if (job.attempt === 0)
    return (
      <EmptyState icon="chart" title={t('plots.notYet')}>
        {t('plots.notYetText')}
      </EmptyState>
    );
  return (
    <>
      <div className={layout.toolbar} role="toolbar" aria-label={t('plots.controls')}>
        <SegmentedControl
          aria-label={t('plots.window')}
          value={search.window ?? '1h'}
          onChange={(value) => onChange({ window: value as PlotWindow })}
          data={PLOT_WINDOWS.map((value) => ({ value, label: t(WINDOW_WORDS[value]) }))}
        />
        {job.tasks.length > 1 && (
          <>
            <NativeSelect
              aria-label={t('log.task')}
              className={style.choice}
              data={[{ value: '', label: t('plots.allTasks') }, ...job.tasks.map(({ name }) => ({ value: name, label: name }))]}
              value={search.task ?? ''}
              onChange={(event) => onChange({ task: event.currentTarget.value || undefined })}
            />
            {search.task === undefined && (
              <SegmentedControl
                aria-label={t('plots.arrangement')}
                value={search.plots ?? ''}
                onChange={(value) => onChange({ plots: value === 'each' ? 'each' : undefined })}
                data={[
                  { value: '', label: t('plots.together') },
                  { value: 'each', label: t('plots.each') },
                ]}
              />
            )}
          </>
        )}
      </div>
      <JobFit job={job} />
      <Measured job={job} search={search} />
    </>
  );
}

function Measured({ job, search }: { job: JobDetail; search: JobSearch }) {
  const t = useT();
  const now = useNow(60_000);
  const active = isActive(job.state);
  const query = {
    window: windowOf(search.window ?? '1h', job, now),
    points: POINTS,
    attempt: search.attempt ?? job.attempt,
    ...(search.task === undefined ? {} : { task: search.task }),
  };
  const usage = useQuery({
    queryKey: usageKeys.job(job.id, query),
    queryFn: ({ signal }) => getJobUsage(job.id, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (active ? Math.max(LEAST_INTERVAL_MS, state.data?.measured_every ?? 10_000) : false),
  });
  if (usage.isPending) return <Skeleton rows={8} />;
  if (!usage.data) return <ErrorState error={usage.error} retry={() => void usage.refetch()} />;
  const { items } = usage.data;
  if (items.length === 0 || isUnmeasured(items)) {
    return (
      <EmptyState icon="chart" title={t('plots.nothing')}>
        {active ? t('plots.nothingYetText') : t('plots.nothingText')}
      </EmptyState>
    );
  }
  const together = items.length > 1 && search.plots !== 'each';
  return (
    <div className={style.panel} data-dimmed={usage.isPlaceholderData || undefined}>
      {hasUnmeasuredGpus(items) && (
        <Notice tone="grey" icon="info" title={t('plots.declared')}>
          {t('plots.declaredText')}
        </Notice>
      )}
      {together ? (
        <Together items={items} job={job.id} />
      ) : (
        items.map((item) => <OneTask key={item.task} usage={item} titled={items.length > 1} job={job.id} />)
      )}
    </div>
  );
}

function Together({ items, job }: { items: TaskUsage[]; job: string }) {
  const t = useT();
  return <Plots plots={useMemo(() => jointPlots(items, t('plots.limit')), [items, t])} job={job} of="" />;
}

function OneTask({ usage, titled, job }: { usage: TaskUsage; titled: boolean; job: string }) {
  const t = useT();
  const plots = useMemo(() => taskPlots(usage, (index) => t('plots.gpu', { index }), t('plots.limit')), [usage, t]);
  return (
    <section aria-label={usage.task}>
      {titled && (
        <h2 className={style.section}>
          {usage.task} <span>{usage.node}</span>
        </h2>
      )}
      <Plots plots={plots} job={job} of={usage.task} />
    </section>
  );
}

function Plots({ plots, job, of }: { plots: Plot[]; job: string; of: string }) {
  const t = useT();
  return (
    <div className={style.grid}>
      {plots.map(({ quantity, times, series, max }) => (
        <div key={quantity} className={layout.shrinks}>
          <h2 className={style.title}>{t(TITLES[quantity])}</h2>
          <Suspense fallback={<div className={style.room} />}>
            <LiveChart
              label={[t(TITLES[quantity]), of].filter(Boolean).join(' · ')}
              times={times}
              series={series}
              format={FORMATS[quantity]}
              max={max}
              unit={UNITS[quantity]}
              sync={`job-${job}`}
            />
          </Suspense>
        </div>
      ))}
    </div>
  );
}
