/** A list that the server gives page by page, as one; loaded as far as one scrolls. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { pollWithoutLive } from '@/app/queries';

export interface ReadPage<Row> {
  items: Row[];
  next_cursor: string | null;
  total: number;
}

export interface Long<Row> {
  rows: Row[];
  /** How many there are on the server. */
  total: number;
  status: 'pending' | 'error' | 'success';
  error: unknown;
  /** These are the rows of the filter before. */
  stale: boolean;
  /** For the table: which rows are in view. */
  onView: (first: number, last: number) => void;
  retry: () => void;
}

/** Loading goes on when fewer loaded rows than this are left below the screen. */
const AHEAD = 100;

export function useLongList<Row>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ReadPage<Row>>,
): Long<Row> {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: ReadPage<Row>) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: pollWithoutLive,
  });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const loaded = rows.length;
  const onView = useCallback(
    (_first: number, last: number) => {
      if (last + AHEAD >= loaded && hasNextPage && !isFetchingNextPage) void fetchNextPage({ cancelRefetch: false });
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  );
  return {
    rows,
    total: Math.max(data?.pages.at(-1)?.total ?? 0, loaded),
    status: data ? 'success' : list.status,
    error: list.error,
    stale: list.isPlaceholderData,
    onView,
    retry: () => void refetch(),
  };
}
