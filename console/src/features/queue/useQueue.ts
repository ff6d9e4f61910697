/** Who waits, as the filters ask for it: loaded page by page, kept fresh by the live connection. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { getOwnPlaces, getQueue, queueKeys } from '@/api/queue';
import type { ClassBacklog, Lane, QueueItem } from '@/api/queue';
import { pollWithoutLive, queryClient, useLive } from '@/app/queries';
import type { QueueSearch } from './search';

const PAGE = 200;
/** The server's largest page: for what is further down. All that is loaded is refreshed, so few pages are better. */
const FAR_PAGE = 500;
/** So many rows before the end the next page is asked for. */
const MARGIN = 40;
/** Decisions come a moment after the news that led to them, and tell of themselves only when somebody starts. */
const LOOK_AGAIN_MS = 10_000;
const refetchInterval = (): number => pollWithoutLive() || LOOK_AGAIN_MS;

export interface Waiting {
  items: QueueItem[];
  lanes: Lane[];
  classes: ClassBacklog[];
  decidedAt: string | null;
}

export function useQueue({ class: jobClass, lane, project, owner }: QueueSearch) {
  useLive('queue');
  const query = { class: jobClass, lane, project, owner, limit: PAGE };
  const lastRow = useRef(0);
  const pages = useInfiniteQuery({
    queryKey: queueKeys.page(query),
    queryFn: ({ pageParam, signal }) => getQueue({ ...query, limit: pageParam === undefined ? PAGE : FAR_PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = pages;
  const waiting = useMemo<Waiting | undefined>(() => {
    const first = data?.pages[0];
    return (
      first && { items: data.pages.flatMap((page) => page.items), lanes: first.lanes, classes: first.classes, decidedAt: first.decided_at }
    );
  }, [data]);
  const loaded = waiting?.items.length ?? 0;
  const loadMore = () => {
    if (hasNextPage && !isFetching && !isError && lastRow.current > loaded - MARGIN) void fetchNextPage({ cancelRefetch: false });
  };
  // A refresh comes before further pages, and the table says nothing new when it is over.
  useEffect(loadMore);
  /**
   * Loads what follows when the last rows come into view, and forgets what was far below once they are left: all that is loaded is
   * refreshed.
   */
  const showUpTo = (row: number) => {
    lastRow.current = row;
    if ((data?.pages.length ?? 0) > 2 && row < PAGE)
      queryClient.setQueryData<typeof data>(queueKeys.page(query), (all) => all && firstPages(all, 2));
    else loadMore();
  };
  return { ...pages, waiting, showUpTo };
}

function firstPages<Pages extends { pages: unknown[]; pageParams: unknown[] }>(all: Pages, count: number): Pages {
  return { ...all, pages: all.pages.slice(0, count), pageParams: all.pageParams.slice(0, count) };
}

const NONE: QueueItem[] = [];

/** One's own places in all lanes, whatever the filters leave out: what can change turns depends on all of them. */
export function useOwnPlaces(): QueueItem[] {
  const { data } = useQuery({ queryKey: queueKeys.own, queryFn: ({ signal }) => getOwnPlaces(signal), refetchInterval });
  return data ?? NONE;
}

/** Asks now and again when the decision that follows a change must have been made. */
export function refreshQueue(client: QueryClient = queryClient): void {
  for (const delay of [0, 700, 2500]) setTimeout(() => void client.invalidateQueries({ queryKey: queueKeys.all }), delay);
}
