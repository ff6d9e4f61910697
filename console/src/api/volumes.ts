/** Calls about volumes and the files in them. `personal` and `archive` are volumes of everybody, with files only. */
import { api, apiUrl, ask } from './client';
import type { FileOrder } from './files';
import type { TrashEntry, Volume, VolumeFields, VolumeFiles, VolumeShare } from './volume-types';

export type { MountMode, TrashEntry, Volume, VolumeFields, VolumeFiles, VolumeKind, VolumeShare, VolumeUse } from './volume-types';

/** The two that are there without being made. */
export const GIVEN = ['personal', 'archive'] as const;
export type Given = (typeof GIVEN)[number];
export const isGiven = (volume: string): volume is Given => (GIVEN as readonly string[]).includes(volume);

export const volumeKeys = {
  all: ['volumes'] as const,
  list: ['volumes', 'list'] as const,
  one: (volume: string) => ['volumes', 'one', volume] as const,
  files: (volume: string) => ['volumes', 'files', volume] as const,
  trash: (volume: string) => ['volumes', 'files', volume, 'trash'] as const,
};

type Call = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const raw = api as unknown as Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Call>;
const call = <Answer>(method: keyof typeof raw, path: string, init: object = {}): Promise<Answer> =>
  ask(raw[method](`/api/v1/${path}`, init)) as Promise<Answer>;
const at = (volume: string) => `volumes/${encodeURIComponent(volume)}`;

/** All that one may read, those in the trash too. */
export const listVolumes = async (signal?: AbortSignal): Promise<Volume[]> =>
  (await call<{ items: Volume[] }>('GET', 'volumes', { params: { query: { limit: 500 } }, signal })).items;

export const listTrashedVolumes = async (signal?: AbortSignal): Promise<Volume[]> =>
  (await call<{ items: Volume[] }>('GET', 'volumes', { params: { query: { limit: 500, trashed: true } }, signal })).items;

export const getVolume = (volume: string, signal?: AbortSignal): Promise<Volume> => call('GET', at(volume), { signal });

export const createVolume = (body: VolumeFields): Promise<Volume> => call('POST', 'volumes', { body });

export const editVolume = (volume: string, body: Partial<Omit<VolumeFields, 'kind' | 'cluster'>>): Promise<Volume> =>
  call('PATCH', at(volume), { body });

/** Into the trash; from there for good. */
export const deleteVolume = (volume: string, forever = false): Promise<unknown> =>
  call('DELETE', at(volume), { params: { query: forever ? { forever } : {} } });

export const restoreVolume = (volume: string): Promise<Volume> => call('POST', `${at(volume)}/restore`);

/** In place of all that there are. */
export const shareVolume = (volume: string, shares: VolumeShare[]): Promise<Volume> =>
  call('PUT', `${at(volume)}/shares`, { body: { shares } });

// ── files ────────────────────────────────────────────────────────────────────────────────────────────

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
