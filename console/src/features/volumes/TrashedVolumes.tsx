/** Volumes in the trash: what goes for good when, and the way back. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { deleteVolume, readVolumes, restoreVolume, volumeKeys } from '@/api/volumes';
import type { VolumeRow } from '@/api/volumes';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { usePages } from '@/parts/usePages';
import { useSave } from '@/parts/useSave';
import { ListStates } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { Ago, Exact } from '@/ui/words/Time';
import { MoreRows } from './MoreRows';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

export function TrashedVolumes() {
  const t = useT();
  const [ending, setEnding] = useState<VolumeRow | null>(null);
  const volumes = usePages(volumeKeys.trashed, (cursor, signal) => readVolumes(true, cursor, signal));
  const { mutate: restore } = useSave({
    save: ({ id }: VolumeRow) => restoreVolume(id),
    said: (_, { name }) => t('volumes.restored', { name }),
    invalidate: [volumeKeys.all],
    failed: t('volumes.failed'),
  });
  const end = useSave({
    save: ({ id }: VolumeRow) => deleteVolume(id, true),
    close: () => setEnding(null),
    said: (_, { name }) => t('volumes.gone', { name }),
    invalidate: [volumeKeys.all],
    failed: t('volumes.failed'),
  });
  const columns = useMemo(() => columnsOf(t, restore, setEnding), [t, restore]);
  return (
    <ListStates
      list={volumes}
      bones={4}
      none={
        <EmptyState icon="trash" title={t('volumes.noTrash')}>
          {t('volumes.noTrashText')}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          <Panel flush>
            <DataTable label={t('volumes.trash')} columns={columns} rows={rows} rowKey={({ id }) => id} />
            <MoreRows list={volumes} total={volumes.first?.total ?? rows.length} />
          </Panel>
          <Suspense fallback={null}>
            {ending && (
              <Confirm
                title={t('volumes.endTitle', { name: ending.name })}
                text={t('volumes.endText', { size: formatBytes(ending.used ?? 0), name: ending.name })}
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

function columnsOf(t: Translate, restore: (volume: VolumeRow) => void, onEnd: (volume: VolumeRow) => void): Column<VolumeRow>[] {
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      cell: ({ id, title, name }) => (
        <Link to="/volumes/$volume" params={{ volume: id }} className={ink.link} title={title} data-row-link={id}>
          {name}
        </Link>
      ),
    },
    {
      id: 'size',
      header: t('volumes.used'),
      width: '112px',
      hideBelow: 'phone',
      cell: ({ used }) => (used === null ? '' : formatBytes(used)),
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
      cell: (volume) =>
        volume.can_edit && (
          <span className={lists.rowActions}>
            <RowButton icon="reset" label={t('volumes.restoreNamed', { name: volume.name })} onClick={() => restore(volume)} />
            <RowButton danger icon="trash" label={t('volumes.endNamed', { name: volume.name })} onClick={() => onEnd(volume)} />
          </span>
        ),
    },
  ];
}
