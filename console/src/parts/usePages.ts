/** A list that the server gives page by page, and that grows when one asks for more. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pollWithoutLive } from '@/app/queries';
import type { Listing } from '@/ui/page/ListPage';

interface PageOf<Row> {
  items: Row[];
  next_cursor: string | null;
}

export interface Pages<Row, Page extends PageOf<Row>> extends Listing<Row> {
  first: Page | undefined;
  /** Fetches the next page; undefined where there is none. */
  more: (() => void) | undefined;
  isFetchingMore: boolean;
}

export function usePages<Page extends PageOf<unknown>>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
  every: number | (() => number | false) = pollWithoutLive,
): Pages<Page['items'][number], Page> {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: every,
  });
  const { data, refetch, fetchNextPage } = list;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return {
    rows,
    status: data ? 'success' : list.status,
    error: list.error,
    retry: () => void refetch(),
    first: data?.pages[0],
    more: list.hasNextPage ? () => void fetchNextPage() : undefined,
    isFetchingMore: list.isFetchingNextPage,
  };
}
