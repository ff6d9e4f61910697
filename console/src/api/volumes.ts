/** Calls about volumes and the files in them. `personal` and `archive` are volumes of everybody, with files only. */
import { ALL, api, apiUrl, ask, askItems } from './client';
import type { FileOrder } from './files';
import type { Schemas } from './types';
import type { TrashEntry, VolumeFiles } from './volume-types';

export type { TrashEntry, VolumeFiles } from './volume-types';
export type VolumeRow = Schemas['VolumeRow'];
export type Volume = Schemas['Volume'];
export type VolumeKind = VolumeRow['kind'];
export type MountMode = NonNullable<VolumeRow['mode']>;
export type VolumeShare = VolumeRow['shares'][number];
export type VolumeUse = Volume['uses'][number];
export type VolumeCreate = Schemas['VolumeCreate'];
export type VolumeEdit = Schemas['VolumeEdit'];

/** The two that are there without being made. */
export const GIVEN = ['personal', 'archive'] as const;
export type Given = (typeof GIVEN)[number];
export const isGiven = (volume: string): volume is Given => (GIVEN as readonly string[]).includes(volume);

export const volumeKeys = {
  all: ['volumes'] as const,
  list: ['volumes', 'list'] as const,
  trashed: ['volumes', 'trashed'] as const,
  one: (volume: string) => ['volumes', 'one', volume] as const,
  files: (volume: string) => ['volumes', 'files', volume] as const,
  trash: (volume: string) => ['volumes', 'files', volume, 'trash'] as const,
};

/** One's own, those shared with one, public ones. */
export const listVolumes = (signal?: AbortSignal): Promise<VolumeRow[]> => askItems(api.GET('/api/v1/volumes', { ...ALL, signal }));

export const listTrashedVolumes = (signal?: AbortSignal): Promise<VolumeRow[]> =>
  askItems(api.GET('/api/v1/volumes', { params: { query: { ...ALL.params.query, trashed: true } }, signal }));

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

/** In place of all that there are. */
export const shareVolume = (volume: string, shares: VolumeShare[]): Promise<Volume> =>
  ask(api.PUT('/api/v1/volumes/{volume}/shares', { params: { path: { volume } }, body: { shares } }));

// ── files ────────────────────────────────────────────────────────────────────────────────────────────

type Call = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const raw = api as unknown as Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Call>;
const call = <Answer>(method: keyof typeof raw, path: string, init: object = {}): Promise<Answer> =>
  ask(raw[method](`/api/v1/${path}`, init)) as Promise<Answer>;
const at = (volume: string) => `volumes/${encodeURIComponent(volume)}`;

export const listVolumeFiles = (
  volume: string,
  path: string,
  order: FileOrder,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<VolumeFiles> => call('GET', `${at(volume)}/files`, { params: { query: { path, ...order, cursor } }, signal });

export const volumeFileUrl = (volume: string, path: string): string => apiUrl(`${at(volume)}/file`, { path });

export const makeFolder = (volume: string, path: string): Promise<unknown> => call('POST', `${at(volume)}/files/mkdir`, { body: { path } });

/** To a folder, or of one file to a new name. */
export const moveFiles = (volume: string, paths: string[], to: string): Promise<unknown> =>
  call('POST', `${at(volume)}/files/move`, { body: { paths, to } });

export const copyFiles = (volume: string, paths: string[], to: string): Promise<unknown> =>
  call('POST', `${at(volume)}/files/copy`, { body: { paths, to } });

/** Into the trash of the volume: what lies there now. */
export const deleteFiles = (volume: string, paths: string[]): Promise<{ items: TrashEntry[] }> =>
  call('POST', `${at(volume)}/files/delete`, { body: { paths } });

export const listTrash = async (volume: string, signal?: AbortSignal): Promise<TrashEntry[]> =>
  (await call<{ items: TrashEntry[] }>('GET', `${at(volume)}/trash`, { signal })).items;

export const restoreFile = (volume: string, entry: string): Promise<unknown> =>
  call('POST', `${at(volume)}/trash/${encodeURIComponent(entry)}/restore`);

/** One of what lies in the trash, or all of it. */
export const emptyTrash = (volume: string, entry?: string): Promise<unknown> =>
  call('DELETE', entry === undefined ? `${at(volume)}/trash` : `${at(volume)}/trash/${encodeURIComponent(entry)}`);

/** Where uploads by tus begin. */
export const uploadsUrl = (volume: string): string => apiUrl(`${at(volume)}/uploads`);
