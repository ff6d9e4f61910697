/** Which projects one has asked to join and waits for. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readRequests, requestKeys } from '@/api/requests';

const OWN_OPEN = { state: ['open' as const], kind: 'join' as const, mine: true };

export function useAsked(): ReadonlySet<string> {
  const { data } = useQuery({ queryKey: requestKeys.list(OWN_OPEN), queryFn: ({ signal }) => readRequests(OWN_OPEN, undefined, signal) });
  return useMemo(() => new Set(data?.items.map(({ subject }) => subject)), [data]);
}
