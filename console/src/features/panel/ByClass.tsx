/** What each class of job runs, waits for and holds, and what is there for it, by GPU model. */
import { useMemo } from 'react';
import type { ClassUse, Resources } from '@/api/resources';
import { useT } from '@/app/i18n';
import { useWidth } from '@/app/frame/width';
import { byClass, className } from '@/parts/quotas/words';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Figure } from './Figure';
import type { Scope } from './search';
import { Stack } from './Stack';
import style from './PanelPage.module.css';
import lists from '@/ui/table/lists.module.css';

type Models = ClassUse['gpus'];

export function ByClass({ resources: { classes }, scope }: { resources: Resources; scope: Scope }) {
  const t = useT();
  const rows = useMemo(() => classes.toSorted((a, b) => byClass(a.class, b.class)), [classes]);
  const columns = useMemo<Column<ClassUse>[]>(() => {
    const own = scope === 'mine';
    return [
      { id: 'class', header: t('quota.class'), width: '11%', cell: (row) => <span className={lists.name}>{className(row.class, t)}</span> },
      {
        id: 'running',
        header: t('panel.running'),
        width: '96px',
        align: 'right',
        cell: (row) =>
          own ? <Jobs jobs={row.mine_running} tasks={row.mine_tasks_running} /> : <Jobs jobs={row.running} tasks={row.tasks_running} />,
      },
      {
        id: 'queued',
        header: t('panel.waiting'),
        width: '96px',
        align: 'right',
        cell: (row) =>
          own ? <Jobs jobs={row.mine_queued} tasks={row.mine_tasks_queued} /> : <Jobs jobs={row.queued} tasks={row.tasks_queued} />,
      },
      {
        id: 'used',
        header: t('panel.gpusUsed'),
        hideBelow: 'phone',
        cell: ({ gpus }) => <Cards gpus={gpus} of={own ? 'mine_used' : 'used'} />,
      },
      {
        id: 'wanted',
        header: t('panel.gpusQueued'),
        hideBelow: 'phone',
        cell: ({ gpus }) => <Cards gpus={gpus} of={own ? 'mine_queued' : 'queued'} />,
      },
      { id: 'free', header: t('panel.free'), cell: ({ gpus }) => <Cards gpus={gpus} of="free" /> },
      { id: 'total', header: t('panel.total'), width: '16%', hideBelow: 'phone', cell: ({ gpus }) => <Cards gpus={gpus} of="total" /> },
      {
        id: 'shortage',
        header: t(own ? 'panel.shortageOfMine' : 'panel.shortage'),
        hideBelow: 'tablet',
        cell: ({ gpus }) => <Cards gpus={gpus} of={own ? 'mine_shortage' : 'shortage'} />,
      },
      {
        id: 'cpus',
        header: t('panel.cpusUsed'),
        width: '96px',
        align: 'right',
        hideBelow: 'tablet',
        cell: ({ cpus }) => <Figure value={own ? cpus.mine_used : cpus.used} />,
      },
    ];
  }, [t, scope]);
  const Table = useWidth() === 'desktop' ? DataTable : Stack;
  return <Table label={t('panel.byClass')} columns={columns} rows={rows} rowKey={(row) => row.class} />;
}

/** "2 (5)": jobs and their tasks. */
function Jobs({ jobs, tasks }: { jobs: number; tasks: number }) {
  const t = useT();
  if (jobs === 0) return <Figure value={0} />;
  return (
    <span title={t('panel.jobsAndTasks', { jobs, tasks })}>
      {formatCount(jobs)} ({formatCount(tasks)})
    </span>
  );
}

type Kind = Exclude<keyof Models[number], 'model'>;

/** "12 A100 · 2 T4"; what is missing stands out. */
function Cards({ gpus, of }: { gpus: Models; of: Kind }) {
  const words = gpus
    .filter((model) => model[of] > 0)
    .map((model) => `${formatCount(model[of])} ${model.model}`)
    .join(' · ');
  if (words === '') return <span className={style.none}>0</span>;
  return (
    <span className={of.endsWith('shortage') ? style.short : undefined} title={words}>
      {words}
    </span>
  );
}
