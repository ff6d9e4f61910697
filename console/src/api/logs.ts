/** Log lines of a task: a page, a live stream, a download. */
import { api, apiUrl, ask } from './client';
import { ApiError, problemFrom, unreachable } from './problem';
import type { LogLine, LogPage } from './types';

export interface LogSource {
  job: string;
  task?: string;
  attempt?: number;
}

/** One line as the stream sends it: time in milliseconds, "o" for output or "e" for errors, text. */
export type StreamedLine = [time: number, stream: 'o' | 'e', text: string];

export interface LogListener {
  lines(lines: StreamedLine[], nextOffset: number): void;
  ended(): void;
  connected(up: boolean): void;
}

const RETRY_MS = 3000;

interface Part {
  offset?: number;
  tail?: number;
  search?: string;
  limit_bytes?: number;
}

const MOST_AT_ONCE = 8 * 2 ** 20;
/** Searches answer so many matches at once, and so many such pages are put together. */
const FULL_SEARCH = 1000;
const MOST_PAGES = 10;

async function readPart({ job, task, attempt }: LogSource, part: Part, signal?: AbortSignal): Promise<LogPage> {
  const page = await ask(api.GET('/api/v1/jobs/{job}/logs', { params: { path: { job }, query: { task, attempt, ...part } }, signal }));
  // The same path also gives plain text and streams, to those who ask for them.
  return page as LogPage;
}

/** The last lines; of very long ones the first part, to go on from at `next_offset`. */
export const tailLog = (source: LogSource, tail: number, signal?: AbortSignal): Promise<LogPage> => readPart(source, { tail }, signal);

/** The lines from so many before the end up to an offset. */
export async function readEarlier(source: LogSource, tail: number, upTo: number): Promise<LogLine[]> {
  let page = await readPart(source, { tail, limit_bytes: MOST_AT_ONCE });
  const lines = page.lines.filter((line) => line.offset < upTo);
  while (page.next_offset < upTo && page.lines.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    page = await readPart(source, { offset: page.next_offset, limit_bytes: MOST_AT_ONCE });
    for (const line of page.lines) if (line.offset < upTo) lines.push(line);
  }
  return lines;
}

/** Matching lines of the whole log, oldest first. */
export async function searchLog(source: LogSource, search: string, signal?: AbortSignal): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  let offset = 0;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page = await readPart(source, { search, offset }, signal);
    for (const line of page.lines) lines.push(line);
    // Only a full page leaves matches behind it; the end of a log that is still written has none.
    if (page.end || page.lines.length < FULL_SEARCH) break;
    offset = page.next_offset;
  }
  return lines;
}

/** Follows a log from an offset until it ends or the returned function is called; reconnects by itself. */
export function followLog({ job, task, attempt }: LogSource, from: number, listener: LogListener): () => void {
  let offset = from;
  let closed = false;
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    source = new EventSource(apiUrl(`jobs/${encodeURIComponent(job)}/logs`, { task, attempt, offset, follow: 'true' }));
    source.addEventListener('open', () => listener.connected(true));
    source.addEventListener('lines', (event: MessageEvent<string>) => {
      const next = Number(event.lastEventId);
      if (Number.isFinite(next) && next > 0) offset = next;
      listener.lines(JSON.parse(event.data) as StreamedLine[], offset);
    });
    source.addEventListener('end', () => {
      close();
      listener.ended();
    });
    source.addEventListener('error', () => {
      if (closed) return;
      listener.connected(false);
      // Reopened by hand: the browser's own retry would repeat the first offset where Last-Event-ID is lost.
      source?.close();
      retry = setTimeout(open, RETRY_MS);
    });
  };
  const close = () => {
    closed = true;
    clearTimeout(retry);
    source?.close();
  };

  open();
  return close;
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
