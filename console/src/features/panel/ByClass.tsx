/** What each class of job runs, waits for and holds, by GPU model. */
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
      { id: 'class', header: t('quota.class'), width: '16%', cell: (row) => <span className={lists.name}>{className(row.class, t)}</span> },
      {
        id: 'running',
        header: t('panel.running'),
        width: '84px',
        align: 'right',
        cell: (row) => <Figure value={own ? row.mine_running : row.running} />,
      },
      {
        id: 'queued',
        header: t('panel.waiting'),
        width: '84px',
        align: 'right',
        cell: (row) => <Figure value={own ? row.mine_queued : row.queued} />,
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
      { id: 'shortage', header: t('panel.shortage'), hideBelow: 'tablet', cell: ({ gpus }) => <Cards gpus={gpus} of="shortage" /> },
      {
        id: 'cpus',
        header: t('panel.cpusUsed'),
        width: '112px',
        align: 'right',
        hideBelow: 'tablet',
        cell: ({ cpus }) => <Figure value={own ? cpus.mine_used : cpus.used} />,
      },
    ];
  }, [t, scope]);
  const Table = useWidth() === 'phone' ? Stack : DataTable;
  return <Table label={t('panel.byClass')} columns={columns} rows={rows} rowKey={(row) => row.class} />;
}

/** "12 A100 · 2 T4"; what is missing stands out. */
function Cards({ gpus, of }: { gpus: Models; of: 'used' | 'queued' | 'mine_used' | 'mine_queued' | 'shortage' }) {
  const words = gpus
    .filter((model) => model[of] > 0)
    .map((model) => `${formatCount(model[of])} ${model.model}`)
    .join(' · ');
  if (words === '') return <span className={style.none}>0</span>;
  return (
    <span className={of === 'shortage' ? style.short : undefined} title={words}>
      {words}
    </span>
  );
}
