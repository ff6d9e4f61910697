/** Volumes in the trash. */
import { Link } from '@tanstack/react-router';
import { deleteVolume, readVolumes, restoreVolume, volumeKeys } from '@/api/volumes';
import type { VolumeRow } from '@/api/volumes';
import { TrashTable } from '@/parts/trash/TrashTable';
import type { TrashOf } from '@/parts/trash/TrashTable';
import { usePages } from '@/parts/usePages';
import { MoreRows } from './MoreRows';
import ink from '@/ui/theme/ink.module.css';

const VOLUMES: TrashOf<VolumeRow> = {
  link: ({ id, title, name }) => (
    <Link to="/volumes/$volume" params={{ volume: id }} className={ink.link} title={title} data-row-link={id}>
      {name}
    </Link>
  ),
  sizeHeader: 'volumes.used',
  bytes: ({ used }) => used,
  noneText: 'volumes.noTrashText',
  endText: 'volumes.endText',
  failed: 'volumes.failed',
  stale: volumeKeys.all,
  restore: restoreVolume,
  end: (id) => deleteVolume(id, true),
};

export function TrashedVolumes() {
  const volumes = usePages(volumeKeys.trashed, (cursor, signal) => readVolumes(true, cursor, signal));
  return (
    <TrashTable list={volumes} of={VOLUMES} more={(rows) => <MoreRows list={volumes} total={volumes.first?.total ?? rows.length} />} />
  );
}
