/**
 * The job list: one continuous list out of the server's pages, loaded as far as one scrolls and kept fresh where one looks.
 *
 * Rows live in an infinite query that nothing ever invalidates: that would fetch all its pages again, fifty requests for one event.
 * Instead a second query, "news", is what live events, polls and actions make stale. It reads again only the part of those pages
 * that shows on the screen, with its neighbours, by their own cursors (most often one request), and writes what changed into the
 * rows. Pages out of view are read again when they are scrolled to, if there was news since. Where the newest stand first and one
 * is not at the top, news also asks for the newest few: they are counted ("3 new jobs"), not inserted.
 */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { jobKeys } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { pollWithoutLive, useLive } from '@/app/queries';
import { ListReader, NO_NEWS } from './list-reader';
import type { News } from './list-reader';
import { rowsOf, totalOf } from './pages';
import type { ReadPage } from './pages';
import { RowsInView } from './rows-in-view';
import type { ListQuery } from './search';

/** Loading goes on when fewer loaded rows than this are left below the screen. */
const AHEAD = 100;
const SETTLE_MS = 150;
/** No event tells of a step or a metric: while jobs run, what is in view is read again. */
const WHILE_SOME_RUN_MS = 15_000;

export interface JobList {
  rows: JobRow[];
  /** How many match on the server. */
  total: number;
  /** How many rows the table has room for: the loaded and the awaited. */
  count: number;
  status: 'pending' | 'error' | 'success';
  error: unknown;
  /** These are the rows of the filter before. */
  stale: boolean;
  moreFailed: boolean;
  newestFirst: boolean;
  news: News;
  view: RowsInView;
  retry: () => void;
}

export function useJobList(query: ListQuery): JobList {
  const client = useQueryClient();
  const view = useMemo(() => new RowsInView(), []);
  const reader = useMemo(() => new ListReader(client, query, view), [client, query, view]);
  useLive('jobs');

  const list = useInfiniteQuery({
    queryKey: jobKeys.list(query),
    queryFn: ({ pageParam, signal }) => reader.page(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: ReadPage) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Pages keep the identity of their rows by themselves, also where rows move.
    structuralSharing: false,
  });
  const news = useQuery({
    queryKey: jobKeys.news(query),
    queryFn: ({ signal }) => reader.news(signal),
    initialData: NO_NEWS,
    // The list itself has just been read when this begins; coming back to it later is news.
    staleTime: 1000,
    refetchInterval: () => pollWithoutLive() || (reader.someRun && WHILE_SOME_RUN_MS),
  });

  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage, refetch } = list;
  const pages = data?.pages;
  const rows = useSameRows(useMemo(() => (pages ? rowsOf(pages) : []), [pages]));

  useEffect(() => {
    const loadMore = () => {
      const enough = view.last + AHEAD < rows.length;
      if (!enough && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData)
        void fetchNextPage({ cancelRefetch: false });
    };
    loadMore();
    return view.watch(loadMore);
  }, [view, rows, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage]);

  useEffect(() => {
    let settling: ReturnType<typeof setTimeout>;
    const settle = () => {
      clearTimeout(settling);
      // A failure is the next news' to tell: what is shown stays.
      settling = setTimeout(() => void reader.inView().catch(() => undefined), SETTLE_MS);
    };
    settle();
    const leave = view.watch(settle);
    return () => {
      clearTimeout(settling);
      leave();
    };
  }, [view, reader, rows]);

  const retry = () => void (data ? fetchNextPage() : refetch());
  const { at, newest } = news.data;
  useEffect(() => {
    // News after a failure: the server is back.
    if (at > 0 && list.isError) retry();
    // oxlint-disable-next-line react/exhaustive-deps -- news alone is the reason
  }, [at]);

  const total = newest && at > (pages?.[0]?.readAt ?? 0) ? news.data.total : pages ? totalOf(pages) : 0;
  return {
    rows,
    total,
    count: hasNextPage ? Math.max(total, rows.length + 1) : rows.length,
    status: data ? 'success' : list.status,
    error: list.error,
    stale: isPlaceholderData,
    moreFailed: isFetchNextPageError,
    newestFirst: reader.newestFirst,
    news: news.data,
    view,
    retry,
  };
}

/** The array of before where its rows are the same. */
function useSameRows(rows: JobRow[]): JobRow[] {
  const before = useRef(rows);
  const old = before.current;
  if (old.length !== rows.length || old.some((row, index) => row !== rows[index])) before.current = rows;
  return before.current;
}
