/** Log lines of a task: a page, a search, a download; `followLog` of the live connection brings them as they are written. */
import { api, apiUrl, ask } from './client';
import { ApiError, problemFrom, unreachable } from './problem';
import type { Schemas } from './types';

export type LogLine = Schemas['LogLine'];
export type LogPage = Schemas['LogPage'];

export const logKeys = {
  search: (id: string, task: string | undefined, attempt: number | undefined, search: string) =>
    ['log-search', id, task, attempt, search] as const,
  tail: (id: string, task: string | undefined, attempt: number, lines: number) => ['log-tail', id, task, attempt, lines] as const,
};

export interface LogSource {
  job: string;
  task?: string;
  attempt?: number;
}

interface Part {
  offset?: number;
  tail?: number;
  search?: string;
  limit_bytes?: number;
}

/** Larger answers take the browser long to read. */
const MOST_AT_ONCE = 2 ** 20;
/** Of a long log a search answers part by part: so many are put together, or until so many lines are found. */
const MOST_LOOKS = 40;
const MOST_FOUND = 10_000;

async function readPart({ job, task, attempt }: LogSource, part: Part, signal?: AbortSignal): Promise<LogPage> {
  const page = await ask(api.GET('/api/v1/jobs/{job}/logs', { params: { path: { job }, query: { task, attempt, ...part } }, signal }));
  // The same path also gives plain text and streams, to those who ask for them.
  return page as LogPage;
}

/** The last lines; of very long ones the first part, to go on from at `next_offset`. */
export const tailLog = (source: LogSource, tail: number, signal?: AbortSignal): Promise<LogPage> => readPart(source, { tail }, signal);

/** About a megabyte of lines from an offset on. */
export const readLog = (source: LogSource, offset: number, signal?: AbortSignal): Promise<LogPage> => readPart(source, { offset }, signal);

/** The lines between two offsets; one that begins before the first offset is left out. */
export async function readBetween(source: LogSource, from: number, upTo: number, signal?: AbortSignal): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  let offset = from;
  while (offset < upTo) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page = await readPart(source, { offset, limit_bytes: Math.min(MOST_AT_ONCE, upTo - offset) }, signal);
    // An offset in the middle of a line gives the rest of it, as if it began there.
    for (const line of page.lines) if (line.offset < upTo && (line.offset > from || from === 0)) lines.push(line);
    if (page.next_offset <= offset) break;
    offset = page.next_offset;
  }
  return lines;
}

export interface Found {
  lines: LogLine[];
  /** How far the log was looked through. */
  upTo: number;
  /** There are more matches than are worth showing. */
  more: boolean;
}

/** Matching lines of the whole log, oldest first. */
export async function searchLog(source: LogSource, search: string, signal?: AbortSignal): Promise<Found> {
  const lines: LogLine[] = [];
  let offset = 0;
  for (let count = 0; count < MOST_LOOKS; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page = await readPart(source, { search, offset }, signal);
    for (const line of page.lines) lines.push(line);
    offset = page.next_offset;
    if (!page.more) return { lines, upTo: offset, more: false };
    if (lines.length >= MOST_FOUND) break;
  }
  return { lines, upTo: offset, more: true };
}

/** The whole log as plain text. */
export async function downloadLog({ job, task, attempt }: LogSource): Promise<Blob> {
  const url = apiUrl(`jobs/${encodeURIComponent(job)}/logs`, { task, attempt });
  const response = await fetch(url, { headers: { Accept: 'text/plain' } }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw new ApiError(problemFrom(await response.json().catch(() => null), response));
  return response.blob();
}
