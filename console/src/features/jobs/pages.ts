/**
 * The pages of the job list that are loaded, and how fresher readings are put into them.
 *
 * A page begins after a cursor that the server made of a row, so it can be read again by itself, whatever happened to the others.
 * A reading may cover a part of a page only, from its beginning; what stood behind that part stays. Pages thus grow and shrink a
 * little, one that grew long is divided, and a row that moved may stand in two of them until both are read: the later reading is right.
 */
import { replaceEqualDeep } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type { JobPage, JobRow } from '@/api/jobs';

export interface ReadPage extends JobPage {
  /** When it was asked for. */
  readAt: number;
  /** How many rows from its beginning that reading covered. */
  covered: number;
}

/** `pageParams` are the cursors after which each page begins. */
export type JobPages = InfiniteData<ReadPage, string | null>;

/** A page with more rows is divided: one that outgrew the server's largest reading could never be read again as a whole. */
export const LONGEST_PAGE = 400;

/** A page, and how many of its rows are needed from its beginning. */
export interface Needed {
  page: number;
  rows: number;
}

/** All rows in order, each once. */
export function rowsOf(pages: readonly ReadPage[]): JobRow[] {
  const home = new Map<string, ReadPage>();
  for (const page of pages) {
    for (const { id } of page.items) {
      const other = home.get(id);
      if (!other || other.readAt < page.readAt) home.set(id, page);
    }
  }
  return pages.flatMap((page) => page.items.filter(({ id }) => home.get(id) === page));
}

/** What the server said last. */
export function totalOf(pages: readonly ReadPage[]): number {
  return pages.reduce((latest, page) => (page.readAt >= latest.readAt ? page : latest)).total;
}

/** What shows the rows from `first` to `last`. */
export function neededFor(pages: readonly ReadPage[], first: number, last: number): Needed[] {
  const needed: Needed[] = [];
  let start = 0;
  for (const [page, { items }] of pages.entries()) {
    const end = start + items.length;
    if (start <= last && end > first) needed.push({ page, rows: Math.min(items.length, last - start + 1) });
    start = end;
  }
  return needed;
}

/** Whether something may have changed since those rows were read. */
export function isStale({ readAt, covered }: ReadPage, rows: number, newsAt: number): boolean {
  return readAt < newsAt || rows > covered;
}

/** Puts a fresh reading from the page's beginning into its place; rows that did not change keep their identity. */
export function patched(data: JobPages, cursor: string | null, fresh: ReadPage): JobPages {
  const at = data.pageParams.indexOf(cursor);
  const old = data.pages[at];
  if (!old) return data;
  const known = new Map(old.items.map((row) => [row.id, row]));
  const items = fresh.items.map((row) => replaceEqualDeep(known.get(row.id), row) as JobRow);
  const last = fresh.items.findLast(({ id }) => known.has(id));
  const pages = data.pages.slice(0, at);
  // The list ends here, or nothing of the old is left to join on: what followed is read anew when it is scrolled to.
  if (fresh.next_cursor === null || (last === undefined && old.items.length > 0)) {
    return { pages: [...pages, { ...fresh, items }], pageParams: data.pageParams.slice(0, at + 1) };
  }
  const read = new Set(fresh.items.map(({ id }) => id));
  const rest = last ? old.items.slice(old.items.findIndex(({ id }) => id === last.id) + 1).filter(({ id }) => !read.has(id)) : [];
  // The boundary to the page after stays; only the last page may have got a longer end.
  const longer = rest.length === 0 && at === data.pages.length - 1;
  if (rest.length > 0 && items.length + rest.length > LONGEST_PAGE) {
    // What the reading did not reach becomes a page of its own, which begins where the reading ended.
    return {
      pages: [...pages, { ...fresh, items }, { ...old, items: rest, covered: 0 }, ...data.pages.slice(at + 1)],
      pageParams: [...data.pageParams.slice(0, at + 1), fresh.next_cursor, ...data.pageParams.slice(at + 1)],
    };
  }
  const page = { ...fresh, items: [...items, ...rest], next_cursor: longer ? fresh.next_cursor : old.next_cursor };
  return { pages: [...pages, page, ...data.pages.slice(at + 1)], pageParams: data.pageParams };
}

/** How many of the newest came after those seen; `more` where even the last of them did. */
export function arrivals(newest: readonly string[], seen: ReadonlySet<string>): { count: number; more: boolean } {
  const known = newest.findIndex((id) => seen.has(id));
  if (seen.size === 0) return { count: 0, more: false };
  return known === -1 ? { count: newest.length, more: newest.length > 0 } : { count: known, more: false };
}
