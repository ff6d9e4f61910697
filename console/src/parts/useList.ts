/** A list that the server gives at once, in the shape of one that it gives page by page. */
import { useQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { pollWithoutLive } from '@/app/queries';
import type { Listing } from '@/ui/page/ListPage';

const NONE: never[] = [];

export function useList<Row>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<Row[]>,
  every: number | (() => number | false) = pollWithoutLive,
): Listing<Row> {
  const { data, status, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => read(signal), refetchInterval: every });
  return { rows: data ?? NONE, status: data ? 'success' : status, error, retry: () => void refetch() };
}
