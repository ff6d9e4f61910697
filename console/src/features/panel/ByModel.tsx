/** What there is of each GPU model, of processors and of memory: in all, in use, free, waited for, missing. */
import { useMemo } from 'react';
import type { Amount, Resources } from '@/api/resources';
import { useT } from '@/app/i18n';
import { useWidth } from '@/app/frame/width';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatBytes, formatCount } from '@/ui/words/format';
import { Figure } from './Figure';
import type { Scope } from './search';
import { Stack } from './Stack';
import ink from '@/ui/theme/ink.module.css';
import style from './PanelPage.module.css';
import lists from '@/ui/table/lists.module.css';

interface Row extends Amount {
  name: string;
  format: (amount: number) => string;
  nodes?: number;
  largest?: number;
}

export function ByModel({ resources: { gpus, cpus, memory }, scope }: { resources: Resources; scope: Scope }) {
  const t = useT();
  const rows = useMemo<Row[]>(
    () => [
      ...gpus.map((amount) => ({ ...amount, name: amount.model, format: formatCount, largest: amount.largest_free })),
      { ...cpus, name: t('quota.cpus'), format: formatCount },
      { ...memory, name: t('quota.memory'), format: formatBytes },
    ],
    [gpus, cpus, memory, t],
  );
  const shut = rows.some(({ closed }) => closed > 0);
  const columns = useMemo<Column<Row>[]>(() => {
    const own = scope === 'mine';
    const figure = (
      id: string,
      header: string,
      of: (row: Row) => number,
      more: Partial<Column<Row>> & { look?: 'free' | 'short' } = {},
    ): Column<Row> => {
      const { look, ...rest } = more;
      return { id, header, align: 'right', cell: (row) => <Figure value={of(row)} format={row.format} look={look} />, ...rest };
    };
    return [
      {
        id: 'name',
        header: t('panel.resource'),
        width: '20%',
        cell: ({ name, nodes }) => (
          <span className={lists.name}>
            {name}
            {nodes !== undefined && <span className={ink.fine}> {t('nodes.count', { count: nodes })}</span>}
          </span>
        ),
      },
      figure('used', t(own ? 'panel.usedByMe' : 'panel.used'), (row) => (own ? row.mine_used : row.used)),
      figure('queued', t(own ? 'panel.queuedByMe' : 'panel.queued'), (row) => (own ? row.mine_queued : row.queued), { hideBelow: 'phone' }),
      figure('free', t('panel.free'), (row) => row.free, { look: 'free' }),
      ...(shut ? [figure('closed', t('panel.closed'), (row) => row.closed, { hideBelow: 'phone' })] : []),
      figure('total', t('panel.total'), (row) => row.total, { hideBelow: 'phone' }),
      figure('shortage', t(own ? 'panel.shortageOfMine' : 'panel.shortage'), (row) => (own ? row.mine_shortage : row.shortage), {
        look: 'short',
      }),
      {
        id: 'largest',
        header: t('panel.largest'),
        align: 'right',
        width: '148px',
        hideBelow: 'phone',
        cell: ({ largest }) => (largest === undefined ? '–' : formatCount(largest)),
      },
      { id: 'bar', header: t('panel.share'), width: '168px', hideBelow: 'tablet', cell: (row) => <Use row={row} /> },
    ];
  }, [t, scope, shut]);
  const Table = useWidth() === 'desktop' ? DataTable : Stack;
  return (
    <>
      <Table label={t('panel.byModel')} columns={columns} rows={rows} rowKey={({ name }) => name} />
      <p className={style.legend} aria-hidden="true">
        <span>
          <i className={style.mine} />
          {t('panel.barMine')}
        </span>
        <span>
          <i className={style.others} />
          {t('panel.barOthers')}
        </span>
        <span>
          <i className={style.foreign} />
          {t('panel.barForeign')}
        </span>
      </p>
    </>
  );
}

function Use({ row: { total, used, mine_used: mine, others } }: { row: Row }) {
  const part = (amount: number) => (total > 0 ? Math.min(1, amount / total) * 100 : 0);
  return (
    <span className={style.use}>
      <span className={style.bar} aria-hidden="true">
        <i className={style.mine} style={{ width: `${part(mine)}%` }} />
        <i className={style.others} style={{ width: `${part(used - mine)}%` }} />
        <i className={style.foreign} style={{ width: `${part(others)}%` }} />
      </span>
      {Math.round(part(used + others))} %
    </span>
  );
}
