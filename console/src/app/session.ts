/** Who is signed in, here and in the other tabs of this browser. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { setCsrf } from '@/api/client';
import { listPermissions, meKeys } from '@/api/me';
import type { User } from '@/api/people';
import { getSession, sessionKeys } from '@/api/session';
import type { Session } from '@/api/session';
import { sectionsFor } from './places';
import type { Section } from './places';
import { live, queryClient } from './queries';
import { forgetTab, remember } from './storage';
import { clearCorner } from './news/ToastCorner';

export const sessionQuery = queryOptions({
  queryKey: sessionKeys.current,
  queryFn: async ({ signal }) => {
    const session = await getSession(signal);
    setCsrf(session?.csrf ?? null);
    return session;
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

const NOTHING: readonly string[] = [];

const permissionsQuery = queryOptions({
  queryKey: meKeys.permissions,
  queryFn: ({ signal }) => listPermissions(signal),
  staleTime: 5 * 60_000,
});

/** Written whenever somebody signs in or out here: the other tabs hear of it. */
const CHANGED_KEY = 'danlu.session-changed';

/** Whose data the caches hold; null is nobody's. */
let person: string | null = null;

/** Takes a fresh session into use; null signs out and forgets everything that was seen. */
export function adoptSession(session: Session | null): void {
  setCsrf(session?.csrf ?? null);
  if (session === null) live.stop();
  belongTo(session);
  queryClient.setQueryData(sessionKeys.current, session);
  remember(CHANGED_KEY, String(Date.now()));
}

function onStorage({ key }: StorageEvent): void {
  if (key === CHANGED_KEY) void queryClient.invalidateQueries({ queryKey: sessionKeys.current });
}

/**
 * Follows who the server says is signed in. Another tab can sign out, or in as somebody else: then nothing that was seen may
 * stay, and `onChange` lets the router see where that leads.
 */
export function watchSession(onChange: () => void): () => void {
  addEventListener('storage', onStorage);
  const leave = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionKeys.current[0] || query.state.data === undefined) return;
    const session = query.state.data as Session | null;
    const before = person;
    if (!belongTo(session) || before === null) return;
    live.stop();
    if (session) live.start();
    onChange();
  });
  return () => {
    removeEventListener('storage', onStorage);
    leave();
  };
}

/** Whether the caches belonged to somebody else; then they are empty now, and what is on the page asks again. */
function belongTo(session: Session | null): boolean {
  const before = person;
  person = session?.user.name ?? null;
  if (before === person) return false;
  if (before === null) return true;
  const seen = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKeys.current[0] };
  if (person === null) queryClient.removeQueries(seen);
  else {
    queryClient.removeQueries({ ...seen, type: 'inactive' });
    void queryClient.resetQueries(seen);
  }
  queryClient.getMutationCache().clear();
  forgetTab();
  clearCorner();
  return true;
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
  return useQuery(permissionsQuery).data?.own.includes(permission) ?? false;
}

/** Whether the person may do something with everybody's things; no until it is known. */
export function useMayEverywhere(permission: string): boolean {
  return useEverywhere().includes(permission);
}

/** All that the person may do with everybody's things. */
export function useEverywhere(): readonly string[] {
  return useQuery(permissionsQuery).data?.everywhere ?? NOTHING;
}

/** The places of the navigation that the person is shown. */
export function useSections(): Section[] {
  const everywhere = useEverywhere();
  return useMemo(() => sectionsFor((permission) => everywhere.includes(permission)), [everywhere]);
}

/** Whether the person may submit jobs at all: viewers look on. */
export function useMaySubmit(): boolean {
  return useMe().role !== 'viewer';
}

/** Shown for the moment between signing out and leaving the page. */
const NOBODY: User = {
  name: '',
  display_name: '',
  email: '',
  role: 'viewer',
  disabled: false,
  groups: [],
  created_at: '',
  sign_in: 'password',
};
