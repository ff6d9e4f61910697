/** One's own environments: packages that jobs installed, kept for the next job. */
import { lazy, useMemo, useState } from 'react';
import { deleteEnvironment, environmentKeys, listEnvironments } from '@/api/environments';
import type { EnvironmentRow } from '@/api/environments';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useList } from '@/parts/useList';
import { ListPage } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from './Environments.module.css';
import lists from '@/ui/table/lists.module.css';

const EnvironmentDialog = lazy(() => import('./EnvironmentDialog'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

type Open = { what: 'show' | 'remove'; row: EnvironmentRow };

export function EnvironmentsPage() {
  const t = useT();
  const [open, setOpen] = useState<Open | null>(null);
  const environments = useList(environmentKeys.list, listEnvironments);
  const columns = useMemo(() => columnsOf(t, setOpen), [t]);
  const close = () => setOpen(null);
  return (
    <ListPage
      title={t('nav.environments')}
      above={<p className={ink.quiet}>{t('environments.text')}</p>}
      list={environments}
      bones={4}
      none={
        <EmptyState icon="packages" title={t('environments.none')}>
          {t('environments.noneText')}
          <br />
          <code>danlu run --pip einops -- python train.py</code>
        </EmptyState>
      }
      dialogs={
        open?.what === 'show' ? (
          <EnvironmentDialog row={open.row} onClose={close} />
        ) : (
          open && (
            <RemoveRule
              name={open.row.key}
              text={t('environments.removeText', { size: formatBytes(open.row.size) })}
              remove={deleteEnvironment}
              stale={environmentKeys.all}
              onClose={close}
            />
          )
        )
      }
    >
      {(rows) => (
        <Panel flush>
          <DataTable label={t('nav.environments')} columns={columns} rows={rows} rowKey={({ key }) => key} />
        </Panel>
      )}
    </ListPage>
  );
}

function columnsOf(t: Translate, onOpen: (open: Open) => void): Column<EnvironmentRow>[] {
  return [
    {
      id: 'made-from',
      header: t('environments.madeFrom'),
      cell: (row) => (
        <button type="button" className={style.open} title={row.made_from} onClick={() => onOpen({ what: 'show', row })}>
          {row.made_from || row.key}
        </button>
      ),
    },
    {
      id: 'state',
      header: t('environments.state'),
      width: '112px',
      cell: (row) => stateOf(t, row),
    },
    {
      id: 'packages',
      header: t('environments.packages'),
      width: '96px',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ packages }) => packages,
    },
    { id: 'size', header: t('environments.size'), width: '96px', align: 'right', cell: ({ size }) => formatBytes(size) },
    {
      id: 'made',
      header: t('environments.made'),
      width: '128px',
      hideBelow: 'tablet',
      cell: ({ made_at: at }) => at && <Ago at={at} />,
    },
    {
      id: 'used',
      header: t('environments.used'),
      width: '128px',
      hideBelow: 'phone',
      cell: ({ used_at: at }) => at && <Ago at={at} />,
    },
    {
      id: 'job',
      header: t('environments.job'),
      width: '18%',
      hideBelow: 'tablet',
      cell: ({ job }) => <span className={ink.quiet}>{job}</span>,
    },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '52px',
      align: 'right',
      cell: (row) =>
        !row.in_use && (
          <span className={lists.rowActions}>
            <RowButton danger icon="trash" label={t('list.remove', { name: row.key })} onClick={() => onOpen({ what: 'remove', row })} />
          </span>
        ),
    },
  ];
}

export function stateOf(t: Translate, row: EnvironmentRow): string {
  return t(row.building ? 'environments.building' : row.in_use ? 'environments.inUse' : 'environments.ready');
}
