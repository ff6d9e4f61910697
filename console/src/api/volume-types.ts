/** What the server says of volumes and their files. */
import type { FileEntry } from './files';

export type VolumeKind = 'block' | 'filesystem';
export type MountMode = 'ro' | 'rw';

export interface VolumeShare {
  to: 'user' | 'project';
  name: string;
  mode: MountMode;
}

export interface VolumeUse {
  job: string | null;
  name?: string | null;
  owner: string;
  read_only: boolean;
}

export interface Volume {
  id: string;
  owner: string;
  name: string;
  title: string;
  kind: VolumeKind;
  capacity: number;
  used: number | null;
  used_at: string | null;
  entries: number | null;
  complete: boolean;
  description: string;
  cluster: string;
  shares: VolumeShare[];
  public: boolean;
  sensitive: boolean;
  created_at: string;
  changed_at: string;
  trashed_at: string | null;
  gone_at: string | null;
  mode: MountMode | null;
  can_edit: boolean;
  mounted_by?: number;
  uses?: VolumeUse[];
}

export interface VolumeFields {
  name: string;
  kind: VolumeKind;
  capacity: number;
  description: string;
  cluster?: string;
  public?: boolean;
  sensitive?: boolean;
}

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
