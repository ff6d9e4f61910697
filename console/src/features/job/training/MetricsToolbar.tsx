/** How the metrics are shown: which, of which tasks, together or apart, over what, how smooth. */
import { NativeSelect, SegmentedControl } from '@mantine/core';
import type { JobMetrics } from '@/api/metrics';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import type { JobSearch } from '../search';
import type { Arrangement } from '@/parts/metrics/charts';
import { LogScale, Smoothing } from '@/parts/metrics/Smoothing';
import { MetricChoice } from './MetricChoice';
import layout from '@/ui/page/layout.module.css';
import style from './Metrics.module.css';

const EVERY = '*';
const ARRANGEMENTS: Record<Arrangement, MessageKey> = { each: 'metrics.each', related: 'metrics.related', one: 'metrics.one' };

interface Props {
  names: JobMetrics['names'];
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
}

export function MetricsToolbar({ names, search, onChange }: Props) {
  const t = useT();
  const tasks = [...new Set(names.flatMap((name) => name.tasks))];
  return (
    <div className={layout.toolbar} role="toolbar" aria-label={t('metrics.controls')}>
      {names.length > 1 && (
        <MetricChoice
          names={names.map(({ name }) => name)}
          chosen={search.metric ?? []}
          onChange={(metric) => onChange({ metric: metric.length > 0 ? metric : undefined })}
        />
      )}
      {names.length > 1 && (
        <SegmentedControl
          aria-label={t('metrics.arrangement')}
          value={search.charts ?? 'each'}
          onChange={(value) => onChange({ charts: value === 'each' ? undefined : (value as JobSearch['charts']) })}
          data={Object.entries(ARRANGEMENTS).map(([value, word]) => ({ value, label: t(word) }))}
        />
      )}
      {(tasks.length > 1 || search.task !== undefined) && <TaskChoice tasks={tasks} search={search} onChange={onChange} />}
      <SegmentedControl
        aria-label={t('metrics.axis')}
        value={search.axis ?? 'step'}
        onChange={(value) => onChange({ axis: value === 'time' ? 'time' : undefined })}
        data={[
          { value: 'step', label: t('metrics.byStep') },
          { value: 'time', label: t('metrics.byTime') },
        ]}
      />
      <LogScale on={search.scale === 'log'} onChange={(on) => onChange({ scale: on ? 'log' : undefined })} />
      <Smoothing value={search.smooth ?? 0} onChange={(smooth) => onChange({ smooth: smooth || undefined })} />
    </div>
  );
}

function TaskChoice({ tasks, search, onChange }: Pick<Props, 'search' | 'onChange'> & { tasks: string[] }) {
  const t = useT();
  const known = search.task !== undefined && !tasks.includes(search.task) ? [search.task, ...tasks] : tasks;
  return (
    <NativeSelect
      aria-label={t('log.task')}
      className={style.choice}
      data={[
        { value: '', label: t('metrics.firstTask') },
        { value: EVERY, label: t('metrics.everyTask') },
        ...known.map((name) => ({ value: name, label: name })),
      ]}
      value={search.task ?? (search.tasks === 'all' ? EVERY : '')}
      onChange={({ currentTarget: { value } }) =>
        onChange({ tasks: value === EVERY ? 'all' : undefined, task: value === EVERY || value === '' ? undefined : value })
      }
    />
  );
}
