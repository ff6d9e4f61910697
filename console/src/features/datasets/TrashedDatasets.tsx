/** Datasets in the trash. */
import { Link } from '@tanstack/react-router';
import { datasetKeys, deleteDataset, listTrashedDatasets, restoreDataset } from '@/api/datasets';
import type { DatasetRow } from '@/api/datasets';
import { TrashTable } from '@/parts/trash/TrashTable';
import type { TrashOf } from '@/parts/trash/TrashTable';
import { useList } from '@/parts/useList';
import ink from '@/ui/theme/ink.module.css';

const DATASETS: TrashOf<DatasetRow> = {
  link: ({ id, title, name }) => (
    <Link to="/datasets/$dataset" params={{ dataset: id }} className={ink.link} title={title} data-row-link={id}>
      {name}
    </Link>
  ),
  sizeHeader: 'datasets.size',
  bytes: ({ bytes }) => bytes,
  noneText: 'datasets.noTrashText',
  endText: 'datasets.endText',
  failed: 'datasets.failed',
  stale: datasetKeys.all,
  restore: restoreDataset,
  end: (id) => deleteDataset(id, true),
};

export function TrashedDatasets() {
  return <TrashTable list={useList(datasetKeys.trashed, listTrashedDatasets)} of={DATASETS} />;
}
