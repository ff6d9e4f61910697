import { describe, expect, it } from 'vitest';
import type { JobRow } from '@/api/jobs';
import { row } from '@/testing/samples';
import { arrivals, isStale, LONGEST_PAGE, neededFor, patched, rowsOf, totalOf } from './pages';
import type { JobPages, ReadPage } from './pages';

const jobs = (names: string, part: Partial<JobRow> = {}) => [...names].map((id) => row({ id, name: id, ...part }));
const page = (items: JobRow[], next: string | null, readAt = 1): ReadPage => ({
  items,
  next_cursor: next,
  total: 9,
  readAt,
  covered: items.length,
});
const names = (rows: JobRow[]) => rows.map(({ id }) => id).join('');

/** "abc" and "def", with more to come. */
const loaded = (): JobPages => ({ pages: [page(jobs('abc'), 'after c'), page(jobs('def'), 'after f')], pageParams: [null, 'after c'] });

describe('a fresh reading of a part of the list', () => {
  it('keeps the identity of rows that did not change', () => {
    const before = loaded();
    const { pages } = patched(before, null, page([...jobs('a'), ...jobs('b', { state: 'failed' }), ...jobs('c')], 'after c', 2));
    expect(pages[0]!.items[0]).toBe(before.pages[0]!.items[0]);
    expect(pages[0]!.items[1]!.state).toBe('failed');
    expect(pages[0]!.items[2]).toBe(before.pages[0]!.items[2]);
    expect(pages[1]).toBe(before.pages[1]);
  });

  it('takes new rows in and loses none that they push on', () => {
    const after = patched(loaded(), null, page(jobs('xya'), 'after a', 2));
    expect(names(rowsOf(after.pages))).toBe('xyabcdef');
    expect(after.pages[0]!.next_cursor).toBe('after c');
  });

  it('drops rows that are gone, and shows those that moved up once', () => {
    const after = patched(loaded(), null, page(jobs('acd'), 'after d', 2));
    expect(names(rowsOf(after.pages))).toBe('acdef');
  });

  it('divides a page that outgrew what can be read at once, and loses no row', () => {
    const many = Array.from({ length: LONGEST_PAGE + 200 }, (_, index) => row({ id: `j${index}` }));
    const before: JobPages = { pages: [page(many, 'the end'), page(jobs('xyz'), null)], pageParams: [null, 'the end'] };
    const after = patched(before, null, page(many.slice(0, 70), 'after j69', 2));
    expect(after.pageParams).toEqual([null, 'after j69', 'the end']);
    expect(after.pages.map(({ items, next_cursor: next }) => [items.length, next])).toEqual([
      [70, 'after j69'],
      [LONGEST_PAGE + 130, 'the end'],
      [3, null],
    ]);
    expect(rowsOf(after.pages)).toHaveLength(LONGEST_PAGE + 203);
    expect(isStale(after.pages[0]!, 70, 1)).toBe(false);
    expect(isStale(after.pages[1]!, 1, 1)).toBe(true);
  });

  it('leaves what it did not cover', () => {
    const after = patched(loaded(), 'after c', page(jobs('d', { state: 'stopped' }), 'after d', 2));
    expect(names(rowsOf(after.pages))).toBe('abcdef');
    expect(after.pages[1]!.covered).toBe(1);
  });

  it('ends the list where the server does', () => {
    const after = patched(loaded(), null, page(jobs('ab'), null, 2));
    expect(names(rowsOf(after.pages))).toBe('ab');
    expect(after.pageParams).toEqual([null]);
  });

  it('begins anew where nothing of the old is left', () => {
    const after = patched(loaded(), null, page(jobs('xyz'), 'after z', 2));
    expect(names(rowsOf(after.pages))).toBe('xyz');
    expect(after.pages[0]!.next_cursor).toBe('after z');
  });

  it('goes on where the last page has got a longer end', () => {
    const short: JobPages = { pages: [page(jobs('abc'), null)], pageParams: [null] };
    const after = patched(short, null, page(jobs('abcd'), 'after d', 2));
    expect(names(rowsOf(after.pages))).toBe('abcd');
    expect(after.pages[0]!.next_cursor).toBe('after d');
  });

  it('is ignored where its page is no longer there', () => {
    const before = loaded();
    expect(patched(before, 'after z', page(jobs('q'), null, 2))).toBe(before);
  });
});

describe('what is in view', () => {
  it('is found in its pages, each read as far as needed', () => {
    const { pages } = loaded();
    expect(neededFor(pages, 0, 1)).toEqual([{ page: 0, rows: 2 }]);
    expect(neededFor(pages, 2, 4)).toEqual([
      { page: 0, rows: 3 },
      { page: 1, rows: 2 },
    ]);
    expect(neededFor(pages, -20, 90)).toEqual([
      { page: 0, rows: 3 },
      { page: 1, rows: 3 },
    ]);
    expect(neededFor(pages, 6, 90)).toEqual([]);
  });

  it('is stale after news, and where the last reading did not reach', () => {
    const read = { ...page(jobs('abc'), null, 5), covered: 2 };
    expect(isStale(read, 2, 5)).toBe(false);
    expect(isStale(read, 3, 5)).toBe(true);
    expect(isStale(read, 1, 6)).toBe(true);
  });
});

describe('a row in two pages', () => {
  it('stands where it was read last', () => {
    expect(names(rowsOf([page(jobs('abm'), 'x', 1), page(jobs('mcd'), null, 2)]))).toBe('abmcd');
    const rows = rowsOf([page(jobs('am'), 'x', 1), page([...jobs('c'), ...jobs('m', { state: 'completed' })], null, 2)]);
    expect(names(rows)).toBe('acm');
    expect(rows[2]!.state).toBe('completed');
  });
});

it('the total is what the server said last', () => {
  expect(
    totalOf([
      { ...page([], 'x', 3), total: 30 },
      { ...page([], null, 2), total: 20 },
    ]),
  ).toBe(30);
});

describe('new jobs', () => {
  it('are those above the first one seen', () => {
    expect(arrivals(['x', 'y', 'a', 'b'], new Set(['a', 'b']))).toEqual({ count: 2, more: false });
    expect(arrivals(['a', 'b'], new Set(['a']))).toEqual({ count: 0, more: false });
  });

  it('are counted although the first one seen is deleted', () => {
    expect(arrivals(['x', 'b', 'c'], new Set(['a', 'b']))).toEqual({ count: 1, more: false });
  });

  it('are more than can be counted where none is known', () => {
    expect(arrivals(['x', 'y'], new Set(['a']))).toEqual({ count: 2, more: true });
  });

  it('are none before anything was seen', () => {
    expect(arrivals(['x'], new Set())).toEqual({ count: 0, more: false });
  });
});
