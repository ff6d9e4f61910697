/** Reads the job list from the server: further pages, what is in view, what is new. */
import type { QueryClient } from '@tanstack/react-query';
import { jobKeys, listJobs } from '@/api/jobs';
import { isStale, neededFor, patched } from './pages';
import type { JobPages, ReadPage } from './pages';
import type { RowsInView } from './rows-in-view';
import type { ListQuery } from './search';

const PAGE_ROWS = 200;
/** The server's largest page: for the way to a place far down. */
const FAR_PAGE_ROWS = 500;
const NEIGHBOURS = 20;
const NEWEST = 50;

export interface News {
  /** The ids at the top of the list; null where they are in view, or where nothing arrives there. */
  newest: string[] | null;
  total: number;
  at: number;
}

export const NO_NEWS: News = { newest: null, total: 0, at: 0 };

export class ListReader {
  readonly #client: QueryClient;
  readonly #query: ListQuery;
  readonly #view: RowsInView;
  #newsAt = 0;

  constructor(client: QueryClient, query: ListQuery, view: RowsInView) {
    this.#client = client;
    this.#query = query;
    this.#view = view;
  }

  get newestFirst(): boolean {
    return this.#query.sort === '-created' || this.#query.sort === '-ended';
  }

  /** Whether any of the loaded jobs runs. */
  get someRun(): boolean {
    return this.#pages?.pages.some(({ items }) => items.some(({ state }) => state === 'running')) ?? false;
  }

  page(cursor: string | null, signal: AbortSignal): Promise<ReadPage> {
    const loaded = this.#pages?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
    return this.#read(cursor, this.#view.last > loaded + PAGE_ROWS ? FAR_PAGE_ROWS : PAGE_ROWS, signal);
  }

  /** Something happened: what is in view is read again, and the newest are counted where they are not. */
  async news(signal: AbortSignal): Promise<News> {
    const at = Date.now();
    this.#newsAt = at;
    const counts = this.newestFirst && this.#view.first > NEIGHBOURS;
    const [newest] = await Promise.all([counts ? this.#read(null, NEWEST, signal) : null, this.inView(signal)]);
    return newest ? { newest: newest.items.map(({ id }) => id), total: newest.total, at } : { ...NO_NEWS, at };
  }

  /** Reads again what is in view, as far as there was news since it was read last. */
  async inView(signal?: AbortSignal): Promise<void> {
    const data = this.#pages;
    if (!data) return;
    const { first, last } = this.#view;
    const needed = neededFor(data.pages, first - NEIGHBOURS, last + NEIGHBOURS);
    const stale = needed.filter(({ page, rows }) => isStale(data.pages[page]!, rows, this.#newsAt));
    await Promise.all(
      stale.map(async ({ page, rows }) => {
        const cursor = data.pageParams[page]!;
        const fresh = await this.#read(cursor, Math.min(FAR_PAGE_ROWS, rows + NEIGHBOURS), signal);
        this.#client.setQueryData<JobPages>(jobKeys.list(this.#query), (now) => now && patched(now, cursor, fresh));
      }),
    );
  }

  get #pages(): JobPages | undefined {
    return this.#client.getQueryData<JobPages>(jobKeys.list(this.#query));
  }

  async #read(cursor: string | null, limit: number, signal?: AbortSignal): Promise<ReadPage> {
    const readAt = Date.now();
    const page = await listJobs({ ...this.#query, limit, ...(cursor !== null && { cursor }) }, signal);
    return { ...page, readAt, covered: page.items.length };
  }
}
