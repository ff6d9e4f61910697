/** What is in the trash, of volumes as of datasets: what goes for good when, and the way back. */
import { lazy, Suspense, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { ListStates } from '@/ui/page/ListPage';
import type { Listing } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { Ago, Exact } from '@/ui/words/Time';
import lists from '@/ui/table/lists.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

export interface Trashed {
  id: string;
  name: string;
  can_edit: boolean;
  trashed_at: string | null;
  gone_at: string | null;
}

/** What differs between the things that have a trash. */
export interface TrashOf<Row extends Trashed> {
  /** The name as a link. */
  link: (row: Row) => ReactNode;
  sizeHeader: MessageKey;
  bytes: (row: Row) => number | null;
  noneText: MessageKey;
  endText: MessageKey;
  failed: MessageKey;
  stale: readonly unknown[];
  restore: (id: string) => Promise<unknown>;
  end: (id: string) => Promise<unknown>;
}

interface TrashTableProps<Row extends Trashed> {
  list: Listing<Row>;
  of: TrashOf<Row>;
  /** Below the rows. */
  more?: (rows: Row[]) => ReactNode;
}

export function TrashTable<Row extends Trashed>({ list, of, more }: TrashTableProps<Row>) {
  const t = useT();
  const [ending, setEnding] = useState<Row | null>(null);
  const { mutate: restore } = useSave({
    save: ({ id }: Row) => of.restore(id),
    said: (_, { name }) => t('volumes.restored', { name }),
    invalidate: [of.stale],
    failed: t(of.failed),
  });
  const end = useSave({
    save: ({ id }: Row) => of.end(id),
    close: () => setEnding(null),
    said: (_, { name }) => t('volumes.gone', { name }),
    invalidate: [of.stale],
    failed: t(of.failed),
  });
  const columns = useMemo(() => columnsOf(t, of, restore, setEnding), [t, of, restore]);
  return (
    <ListStates
      list={list}
      bones={4}
      none={
        <EmptyState icon="trash" title={t('volumes.noTrash')}>
          {t(of.noneText)}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          <Panel flush>
            <DataTable label={t('volumes.trash')} columns={columns} rows={rows} rowKey={({ id }) => id} />
            {more?.(rows)}
          </Panel>
          <Suspense fallback={null}>
            {ending && (
              <Confirm
                title={t('volumes.endTitle', { name: ending.name })}
                text={t(of.endText, { size: formatBytes(of.bytes(ending) ?? 0), name: ending.name })}
                action={t('volumes.end')}
                busy={end.isPending}
                onConfirm={() => end.mutate(ending)}
                onClose={() => setEnding(null)}
              />
            )}
          </Suspense>
        </>
      )}
    </ListStates>
  );
}

function columnsOf<Row extends Trashed>(
  t: Translate,
  of: TrashOf<Row>,
  restore: (row: Row) => void,
  onEnd: (row: Row) => void,
): Column<Row>[] {
  return [
    { id: 'name', header: t('jobs.name'), cell: of.link },
    {
      id: 'size',
      header: t(of.sizeHeader),
      width: '112px',
      hideBelow: 'phone',
      cell: (row) => {
        const bytes = of.bytes(row);
        return bytes === null ? '' : formatBytes(bytes);
      },
    },
    {
      id: 'since',
      header: t('volumes.deleted'),
      width: '132px',
      hideBelow: 'tablet',
      cell: ({ trashed_at: at }) => at && <Ago at={at} />,
    },
    { id: 'gone', header: t('volumes.goneOn'), width: '168px', cell: ({ gone_at: at }) => at && <Exact at={at} /> },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '84px',
      align: 'right',
      cell: (row) =>
        row.can_edit && (
          <span className={lists.rowActions}>
            <RowButton icon="reset" label={t('volumes.restoreNamed', { name: row.name })} onClick={() => restore(row)} />
            <RowButton danger icon="trash" label={t('volumes.endNamed', { name: row.name })} onClick={() => onEnd(row)} />
          </span>
        ),
    },
  ];
}
