/** Who is signed in. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { setCsrf } from '@/api/client';
import { keys } from '@/api/keys';
import { listPermissions } from '@/api/me';
import { getSession } from '@/api/session';
import type { Session, User } from '@/api/types';
import { live, queryClient } from './queries';
import { forgetVisits } from './visits';

export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async ({ signal }) => {
    const session = await getSession(signal);
    setCsrf(session?.csrf ?? null);
    return session;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Takes a fresh session into use; null signs out and forgets everything that was seen. */
export function adoptSession(session: Session | null): void {
  setCsrf(session?.csrf ?? null);
  if (session === null) {
    live.stop();
    forgetVisits();
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] });
  }
  queryClient.setQueryData(keys.session, session);
}

/** The signed-in person; only for pages behind the sign-in. */
export function useMe(): User {
  const { data } = useSuspenseQuery(sessionQuery);
  return data?.user ?? NOBODY;
}

/** Whether anybody is signed in, as far as is known. */
export function useSignedIn(): boolean {
  return Boolean(useQuery({ ...sessionQuery, enabled: false }).data);
}

/** Whether the person may do something with things of their own, such as `queue:pin`; no until it is known. */
export function useMay(permission: string): boolean {
  const { data } = useQuery({ queryKey: keys.permissions, queryFn: ({ signal }) => listPermissions(signal), staleTime: 5 * 60_000 });
  return data?.includes(permission) ?? false;
}

/** Shown for the moment between signing out and leaving the page. */
const NOBODY: User = { name: '', display_name: '', role: 'viewer', disabled: false, groups: [], created_at: '' };
