/** Who is signed in. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { setCsrf } from '@/api/client';
import { keys } from '@/api/keys';
import { getSession } from '@/api/session';
import type { Session, User } from '@/api/types';
import { live, queryClient } from './queries';

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
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] });
  }
  queryClient.setQueryData(keys.session, session);
}

/** The signed-in person; only for pages behind the sign-in. */
export function useMe(): User {
  const { data } = useSuspenseQuery(sessionQuery);
  return data?.user ?? NOBODY;
}

/** Shown for the moment between signing out and leaving the page. */
const NOBODY: User = { name: '', display_name: '', role: 'viewer', disabled: false, groups: [], created_at: '' };
