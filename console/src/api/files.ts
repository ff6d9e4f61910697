/** Files of a job: a folder's page, the first bytes of a file, downloads, and keeping results. */
import { api, apiUrl, ask } from './client';
import { ApiError, problemFrom, unreachable } from './problem';
import type { Schemas } from './types';

export type FileEntry = Schemas['FileEntry'];
export type FileList = Schemas['FileList'];
export type Retention = Schemas['Retention'];
export type FileFolder = 'work' | 'checkpoints';
export type FileSort = 'name' | 'size' | 'modified';

/** Where in a job: a folder of a task, and the way from there as the server spells it. */
export interface FilePlace {
  job: string;
  folder: FileFolder;
  task?: string | undefined;
  attempt?: number | undefined;
  path: string;
}

/** What a list of files holds, wherever they are. */
export interface FilePage {
  items: FileEntry[];
  next_cursor: string | null;
  total: number;
  /** Whether all were looked at. */
  whole: boolean;
  /** Where tasks find the folder, if they do. */
  inside?: string | null;
}

export interface FileOrder {
  sort: FileSort;
  descending: boolean;
}

export const fileKeys = {
  all: (job: string) => ['files', job] as const,
};

export const listFiles = (place: FilePlace, order: FileOrder, cursor: string | undefined, signal?: AbortSignal): Promise<FileList> => {
  const { job, ...where } = place;
  return ask(api.GET('/api/v1/jobs/{job}/files', { params: { path: { job }, query: { ...where, ...order, cursor } }, signal }));
};

export const keepFiles = (job: string): Promise<Retention> => ask(api.PUT('/api/v1/jobs/{job}/files/kept', { params: { path: { job } } }));

export const unkeepFiles = (job: string): Promise<Retention> =>
  ask(api.DELETE('/api/v1/jobs/{job}/files/kept', { params: { path: { job } } }));

/** Where the browser downloads a file from, or a folder as an archive. */
export const contentUrl = ({ job, ...where }: FilePlace): string => apiUrl(`jobs/${encodeURIComponent(job)}/files/content`, { ...where });

/** The first bytes of a file, how many it has in all, and what the server takes it for. */
export interface FileStart {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  type: string;
}

export async function readStart(url: string, most: number, signal?: AbortSignal): Promise<FileStart> {
  const response = await fetch(url, { headers: { Range: `bytes=0-${most - 1}` }, signal: signal ?? null }).catch((cause) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable();
  });
  // Of an empty file there is no first byte.
  if (response.status === 416) return { bytes: new Uint8Array(), size: 0, type: '' };
  if (!response.ok) throw new ApiError(problemFrom(await response.json().catch(() => null), response));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const size = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1] ?? bytes.length);
  return { bytes, size, type: response.headers.get('Content-Type') ?? '' };
}

/** A path one step down or up; names are joined as the server spells them. */
export const pathInto = (path: string, key: string): string => (path === '' ? key : `${path}/${key}`);

/** For people: `%0A` stays as it is, a `%25` is a percent sign. */
export const shownPath = (path: string): string => path.replaceAll('%25', '%');

/** The folder that holds what a path leads to, and the last step of the way. */
export function splitPath(path: string): [folder: string, key: string] {
  const at = path.lastIndexOf('/');
  return at === -1 ? ['', path] : [path.slice(0, at), path.slice(at + 1)];
}
