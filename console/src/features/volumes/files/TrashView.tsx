/** Files of a volume that were deleted: back to where they were, or gone for good. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { shownPath } from '@/api/files';
import { emptyTrash, listTrash, restoreFile, volumeKeys } from '@/api/volumes';
import type { TrashEntry } from '@/api/volumes';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { usePages } from '@/parts/usePages';
import { useSave } from '@/parts/useSave';
import { ListStates } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { Ago, Exact } from '@/ui/words/Time';
import { MoreRows } from '../MoreRows';
import lists from '@/ui/table/lists.module.css';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

export function TrashView({ volume, writes }: { volume: string; writes: boolean }) {
  const t = useT();
  /** One entry, or all. */
  const [ending, setEnding] = useState<TrashEntry | 'all' | null>(null);
  const trash = usePages(volumeKeys.trash(volume), (cursor, signal) => listTrash(volume, cursor, signal));
  const use = trash.first?.use;
  const stale = [volumeKeys.files(volume)];
  const { mutate: restore } = useSave({
    save: ({ id }: TrashEntry) => restoreFile(volume, id),
    said: (_, { path }) => t('files.restored', { name: shownPath(path) }),
    invalidate: stale,
    failed: t('files.notRestored'),
  });
  const end = useSave({
    save: (one: TrashEntry | 'all') => emptyTrash(volume, one === 'all' ? undefined : one.id),
    close: () => setEnding(null),
    invalidate: stale,
    failed: t('files.notDeleted'),
  });
  const columns = useMemo(() => columnsOf(t, writes, restore, setEnding), [t, writes, restore]);
  return (
    <ListStates
      list={trash}
      bones={4}
      none={
        <EmptyState icon="trash" title={t('files.noTrash')}>
          {t('files.noTrashText')}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          <div className={layout.toolbar}>
            <span className={ink.fine}>
              {use && t(use.whole ? 'files.trashTakes' : 'files.trashTakesMore', { size: formatBytes(use.size) })} {t('files.trashText')}
            </span>
            <span className={layout.spring} />
            {writes && (
              <Button variant="default" onClick={() => setEnding('all')}>
                {t('files.emptyTrash')}
              </Button>
            )}
          </div>
          <DataTable label={t('files.trash')} columns={columns} rows={rows} rowKey={({ id }) => id} />
          <MoreRows list={trash} total={use?.entries ?? rows.length} />
          <Suspense fallback={null}>
            {ending && (
              <Confirm
                title={t(ending === 'all' ? 'files.emptyTrash' : 'files.endTitle', {
                  name: ending === 'all' ? '' : shownPath(ending.path),
                })}
                text={t(ending === 'all' ? 'files.emptyTrashText' : 'files.endText', { count: use?.entries ?? rows.length })}
                action={t('files.end')}
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

function columnsOf(
  t: Translate,
  writes: boolean,
  restore: (entry: TrashEntry) => void,
  onEnd: (entry: TrashEntry) => void,
): Column<TrashEntry>[] {
  return [
    {
      id: 'path',
      header: t('files.from'),
      cell: ({ path }) => (
        <span className={ink.cut} title={shownPath(path)}>
          {shownPath(path)}
        </span>
      ),
    },
    {
      id: 'size',
      header: t('files.by.size'),
      width: '96px',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ size }) => (size === null ? '' : formatBytes(size)),
    },
    { id: 'at', header: t('volumes.deleted'), width: '132px', hideBelow: 'phone', cell: ({ deleted_at: at }) => <Ago at={at} /> },
    {
      id: 'gone',
      header: t('volumes.goneOn'),
      width: '168px',
      hideBelow: 'tablet',
      cell: ({ gone_at: at }) => at && <Exact at={at} />,
    },
    { id: 'by', header: t('files.deletedBy'), width: '120px', hideBelow: 'tablet', cell: ({ deleted_by: by }) => by },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '148px',
      align: 'right',
      cell: (entry) =>
        writes && (
          <span className={lists.rowActions}>
            <Button size="compact-xs" variant="default" onClick={() => restore(entry)}>
              {t('volumes.restore')}
            </Button>
            <RowButton danger icon="trash" label={t('files.endNamed', { name: shownPath(entry.path) })} onClick={() => onEnd(entry)} />
          </span>
        ),
    },
  ];
}
