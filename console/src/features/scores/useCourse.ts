/** The ledger of one model, page by page, and the course of the score that follows from it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { getLedger, scoreKeys } from '@/api/queue';
import type { LedgerRow, ModelScore, Score } from '@/api/queue';
import { courseOf, millisOf } from './curve';
import type { Course } from './curve';

const REFRESH_MS = 30_000;
/** As many pages as the plot loads of its own accord; the table may ask for more. */
const MOST_PAGES = 8;

export interface LedgerView {
  rows: LedgerRow[];
  course: Course | undefined;
  error: unknown;
  retry: () => void;
  more: boolean;
  loading: boolean;
  loadMore: () => void;
}

export function useCourse({ user, score_time: scoreTime }: Score, { model, score, held }: ModelScore): LedgerView {
  const ledger = useInfiniteQuery({
    queryKey: scoreKeys.ledger(user, model),
    queryFn: ({ pageParam, signal }) => getLedger(user, model, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
  const { data, dataUpdatedAt, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = ledger;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const course = useMemo(
    () => data && courseOf(dataUpdatedAt, { score, held }, millisOf(scoreTime), { rows, more: hasNextPage }),
    [data, dataUpdatedAt, score, held, scoreTime, rows, hasNextPage],
  );
  // The plot goes back four times T, so the ledger must as well.
  const short =
    course !== undefined && hasNextPage && course.knownFrom > course.now - 4 * course.scoreTime && (data?.pages.length ?? 0) < MOST_PAGES;
  useEffect(() => {
    if (short && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [short, isFetching, isFetchNextPageError, fetchNextPage]);
  return {
    rows,
    course,
    error: data ? null : ledger.error,
    retry: () => void ledger.refetch(),
    more: hasNextPage,
    loading: ledger.isPending || ledger.isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
  };
}
