/** Calls about volumes and the files in them. `personal` and `archive` are volumes of everybody, with files only. */
import { ALL, api, apiUrl, ask, askItems } from './client';
import type { FileOrder } from './files';
import type { Schemas } from './types';

export type VolumeList = Schemas['VolumeList'];
export type Volume = Schemas['Volume'];
export type VolumeRow = Schemas['VolumeRow'];
export type VolumeKind = VolumeRow['kind'];
export type MountMode = NonNullable<VolumeRow['mode']>;
export type VolumeShare = VolumeRow['shares'][number];
export type VolumeClaim = Schemas['VolumeClaim'];
export type VolumeUse = Volume['uses'][number];
export type VolumeCreate = Schemas['VolumeCreate'];
export type VolumeEdit = Schemas['VolumeEdit'];
export type VolumeFiles = Schemas['VolumeFileList'];
export type TrashEntry = Schemas['TrashEntry'];
export type TrashList = Schemas['TrashList'];
export type FileFailure = Schemas['FileFailure'];
/** What was done, and what could not be. */
export type Changed = Schemas['ChangedPaths'];
export type Trashed = Schemas['Trashed'];
export type RowsPreview = Schemas['FilePreview'];

/** The two that are there without being made. */
export const GIVEN = ['personal', 'archive'] as const;
export type Given = (typeof GIVEN)[number];
export const isGiven = (volume: string): volume is Given => (GIVEN as readonly string[]).includes(volume);

export const volumeKeys = {
  all: ['volumes'] as const,
  list: ['volumes', 'list'] as const,
  pages: ['volumes', 'list', 'pages'] as const,
  trashed: ['volumes', 'trashed'] as const,
  one: (volume: string) => ['volumes', 'one', volume] as const,
  files: (volume: string) => ['volumes', 'files', volume] as const,
  trash: (volume: string) => ['volumes', 'files', volume, 'trash'] as const,
};

/** One's own, those shared with one, public ones: as many as one would choose from. */
export const listVolumes = (signal?: AbortSignal): Promise<VolumeRow[]> => askItems(api.GET('/api/v1/volumes', { ...ALL, signal }));

/** A page of them, or of those in the trash. */
export const readVolumes = (trashed: boolean, cursor: string | undefined, signal?: AbortSignal): Promise<VolumeList> =>
  ask(api.GET('/api/v1/volumes', { params: { query: { limit: 200, trashed, cursor } }, signal }));

export const getVolume = (volume: string, signal?: AbortSignal): Promise<Volume> =>
  ask(api.GET('/api/v1/volumes/{volume}', { params: { path: { volume } }, signal }));

export const createVolume = (body: VolumeCreate): Promise<Volume> => ask(api.POST('/api/v1/volumes', { body }));

export const editVolume = (volume: string, body: VolumeEdit): Promise<Volume> =>
  ask(api.PATCH('/api/v1/volumes/{volume}', { params: { path: { volume } }, body }));

/** Into the trash; from there for good. */
export const deleteVolume = async (volume: string, forever = false): Promise<void> => {
  await ask(api.DELETE('/api/v1/volumes/{volume}', { params: { path: { volume }, query: { forever } } }));
};

export const restoreVolume = (volume: string): Promise<Volume> =>
  ask(api.POST('/api/v1/volumes/{volume}/restore', { params: { path: { volume } } }));

/** Where its data is, looked at step by step. */
export const checkVolume = (volume: string): Promise<Schemas['VolumeFindings']> =>
  ask(api.POST('/api/v1/volumes/{volume}/check', { params: { path: { volume } } }));

export const setVolumeLogin = (volume: string, body: Schemas['VolumeLogin']): Promise<Volume> =>
  ask(api.PUT('/api/v1/volumes/{volume}/login', { params: { path: { volume } }, body }));

/** In place of all that there are. */
export const shareVolume = (volume: string, shares: VolumeShare[]): Promise<Volume> =>
  ask(api.PUT('/api/v1/volumes/{volume}/shares', { params: { path: { volume } }, body: { shares } }));

// ── files ────────────────────────────────────────────────────────────────────────────────────────────

export const listVolumeFiles = (
  volume: string,
  path: string,
  order: FileOrder,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<VolumeFiles> =>
  ask(api.GET('/api/v1/volumes/{volume}/files', { params: { path: { volume }, query: { path, ...order, cursor } }, signal }));

export const volumeFileUrl = (volume: string, path: string): string => apiUrl(`volumes/${encodeURIComponent(volume)}/file`, { path });

/** The columns and first rows of a file of rows. */
export const previewRows = (volume: string, path: string, signal?: AbortSignal): Promise<RowsPreview> =>
  ask(api.GET('/api/v1/volumes/{volume}/preview', { params: { path: { volume }, query: { path } }, signal }));

export const makeFolder = (volume: string, path: string): Promise<unknown> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/mkdir', { params: { path: { volume } }, body: { path } }));

/** `to` is its new path. */
export const renameFile = (volume: string, path: string, to: string): Promise<Changed> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/move', { params: { path: { volume } }, body: { path, to } }));

/** `to` is a folder, in which they keep their names. */
export const moveFiles = (volume: string, paths: string[], to: string): Promise<Changed> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/move', { params: { path: { volume } }, body: { paths, to } }));

export const copyFiles = (volume: string, paths: string[], to: string): Promise<Changed> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/copy', { params: { path: { volume } }, body: { paths, to } }));

/** `to` is the path of the copy. */
export const copyFile = (volume: string, path: string, to: string): Promise<Changed> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/copy', { params: { path: { volume } }, body: { path, to } }));

/** Into the trash of the volume. */
export const deleteFiles = (volume: string, paths: string[]): Promise<Trashed> =>
  ask(api.POST('/api/v1/volumes/{volume}/files/delete', { params: { path: { volume } }, body: { paths } }));

/** A page of it, with how much all of it takes on the first. */
export const listTrash = (volume: string, cursor: string | undefined, signal?: AbortSignal): Promise<TrashList> =>
  ask(api.GET('/api/v1/volumes/{volume}/trash', { params: { path: { volume }, query: { limit: 100, cursor } }, signal }));

export const restoreFile = (volume: string, entry: string): Promise<unknown> =>
  ask(api.POST('/api/v1/volumes/{volume}/trash/{entry}/restore', { params: { path: { volume, entry } } }));

/** One of what lies in the trash, or all of it. */
export const emptyTrash = (volume: string, entry?: string): Promise<unknown> =>
  entry === undefined
    ? ask(api.DELETE('/api/v1/volumes/{volume}/trash', { params: { path: { volume } } }))
    : ask(api.DELETE('/api/v1/volumes/{volume}/trash/{entry}', { params: { path: { volume, entry } } }));

/** Where uploads by tus begin. */
export const uploadsUrl = (volume: string): string => apiUrl(`volumes/${encodeURIComponent(volume)}/uploads`);
