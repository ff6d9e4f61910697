/** A name that the person has given to no job yet. */
import { useQuery } from '@tanstack/react-query';
import { jobKeys, listJobs } from '@/api/jobs';
import { freeName } from '../names';

/** Like the name wanted; that one itself where the server does not tell. Empty while nothing is wanted. */
export function useFreeName(wanted: string): { free: string; waiting: boolean } {
  const query = { limit: 500, owner: 'me', search: wanted };
  // Asked anew at each visit: the job of the last one has its name now.
  const own = useQuery({
    queryKey: jobKeys.page(query),
    queryFn: ({ signal }) => listJobs(query, signal),
    enabled: wanted !== '',
    gcTime: 0,
    retry: false,
  });
  return { free: freeName(wanted, new Set(own.data?.items.map(({ name }) => name))), waiting: own.isLoading };
}
