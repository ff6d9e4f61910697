/** What the server says of the files of volumes. */
import type { FileEntry } from './files';

export interface VolumeFiles {
  items: FileEntry[];
  next_cursor: string | null;
  total: number;
  whole: boolean;
  inside?: string | null;
}

export interface TrashEntry {
  id: string;
  path: string;
  name: string;
  kind: FileEntry['kind'];
  size: number | null;
  deleted_at: string;
  deleted_by: string;
  gone_at: string | null;
}
