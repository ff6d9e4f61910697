/** Datasets in the trash: what goes for good when, and the way back. */
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { deleteDataset, listTrashedDatasets, restoreDataset, datasetKeys } from '@/api/datasets';
import type { DatasetRow } from '@/api/datasets';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useList } from '@/parts/useList';
import { useSave } from '@/parts/useSave';
import { ListStates } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { Ago, Exact } from '@/ui/words/Time';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

export function TrashedDatasets() {
  const t = useT();
  const [ending, setEnding] = useState<DatasetRow | null>(null);
  const datasets = useList(datasetKeys.trashed, listTrashedDatasets);
  const { mutate: restore } = useSave({
    save: ({ id }: DatasetRow) => restoreDataset(id),
    said: (_, { name }) => t('volumes.restored', { name }),
    invalidate: [datasetKeys.all],
    failed: t('datasets.failed'),
  });
  const end = useSave({
    save: ({ id }: DatasetRow) => deleteDataset(id, true),
    close: () => setEnding(null),
    said: (_, { name }) => t('volumes.gone', { name }),
    invalidate: [datasetKeys.all],
    failed: t('datasets.failed'),
  });
  const columns = useMemo(() => columnsOf(t, restore, setEnding), [t, restore]);
  return (
    <ListStates
      list={datasets}
      bones={4}
      none={
        <EmptyState icon="trash" title={t('volumes.noTrash')}>
          {t('datasets.noTrashText')}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          <Panel flush>
            <DataTable label={t('volumes.trash')} columns={columns} rows={rows} rowKey={({ id }) => id} />
          </Panel>
          <Suspense fallback={null}>
            {ending && (
              <Confirm
                title={t('volumes.endTitle', { name: ending.name })}
                text={t('datasets.endText', { size: formatBytes(ending.bytes), name: ending.name })}
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

function columnsOf(t: Translate, restore: (dataset: DatasetRow) => void, onEnd: (dataset: DatasetRow) => void): Column<DatasetRow>[] {
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      cell: ({ id, title, name }) => (
        <Link to="/datasets/$dataset" params={{ dataset: id }} className={ink.link} title={title} data-row-link={id}>
          {name}
        </Link>
      ),
    },
    {
      id: 'size',
      header: t('datasets.size'),
      width: '112px',
      hideBelow: 'phone',
      cell: ({ bytes }) => formatBytes(bytes),
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
      cell: (dataset) =>
        dataset.can_edit && (
          <span className={lists.rowActions}>
            <RowButton icon="reset" label={t('volumes.restoreNamed', { name: dataset.name })} onClick={() => restore(dataset)} />
            <RowButton danger icon="trash" label={t('volumes.endNamed', { name: dataset.name })} onClick={() => onEnd(dataset)} />
          </span>
        ),
    },
  ];
}
