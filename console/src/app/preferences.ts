/** How the signed-in person likes the console: kept by the server, so that it follows them to every browser. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { changePreferences, getPreferences, meKeys } from '@/api/me';
import type { Preferences, PreferencesChange } from '@/api/me';
import { remember, stored } from './storage';

const LEFT = 'danlu.left';
const LEFT_FOR_MS = 30_000;

/** When to ask again, where a page was left a moment ago with changes on their way: the first answer may not know of them. */
export function looksAgain(): readonly number[] {
  const at = Number(stored(LEFT) ?? 0);
  remember(LEFT, null);
  return Date.now() - at < LEFT_FOR_MS ? [1_000, 3_000, 9_000] : [];
}

const looks = looksAgain();

export const preferencesQuery = queryOptions({
  queryKey: meKeys.preferences,
  queryFn: ({ signal }) => getPreferences(signal),
  staleTime: 5 * 60_000,
  refetchInterval: ({ state }) => looks[state.dataUpdateCount - 1] ?? false,
});

/** Null until they are known. */
export function usePreferences(): Preferences | null {
  return useQuery(preferencesQuery).data ?? null;
}

/** A change, or how it follows from what is kept: lists are written as a whole, and another tab may have added to them. */
export type Change = PreferencesChange | ((kept: Preferences) => PreferencesChange);

const KEY = ['change-preferences'];

/** A change that was made here; `told` is the answer where it was sent because the page was left. */
interface Wish {
  change: Change;
  client: QueryClient;
  /** What it comes to, as shown. */
  shown?: PreferencesChange;
  told?: Promise<Preferences>;
}

/** Those that wait for what is kept now, or for the one before. */
const unsent = new Set<Wish>();
/** How many were sent and not answered yet. */
let underWay = 0;

const cameTo = (change: Change, kept: Preferences): PreferencesChange => (typeof change === 'function' ? change(kept) : change);

async function send(wish: Wish): Promise<Preferences> {
  const { change } = wish;
  const now = typeof change === 'function' && !wish.told ? change(await getPreferences()) : (change as PreferencesChange);
  unsent.delete(wish);
  underWay += 1;
  try {
    return await (wish.told ?? changePreferences(now));
  } finally {
    underWay -= 1;
  }
}

/** Whoever leaves does not wait: what they changed is sent as they saw it, all in one. */
function sendBeforeLeaving(): void {
  if (unsent.size > 0 || underWay > 0) remember(LEFT, String(Date.now()));
  const all: PreferencesChange = {};
  const going = [...unsent].filter(({ change, client, shown }) => {
    const known = client.getQueryData<Preferences>(meKeys.preferences);
    if (known) Object.assign(all, shown ?? cameTo(change, Object.assign({}, known, all)));
    return known !== undefined;
  });
  if (going.length === 0) return;
  const told = changePreferences(all);
  // Whoever comes back to the page hears of a refusal from the change itself.
  told.catch(() => undefined);
  for (const wish of going) {
    wish.told = told;
    unsent.delete(wish);
  }
}

addEventListener('pagehide', sendBeforeLeaving);

/** Changes some of them, one change after the other: on the screen at once, taken back if the server refuses. */
export function useChangePreferences(onRefused?: (error: Error, before: Preferences | undefined) => void): (change: Change) => void {
  const client = useQueryClient();
  // The answer to one change does not know of the next.
  const isLast = () => client.isMutating({ mutationKey: KEY }) === 1;
  const { mutate } = useMutation({
    mutationKey: KEY,
    scope: { id: 'preferences' },
    mutationFn: send,
    onMutate: async (wish) => {
      await client.cancelQueries({ queryKey: meKeys.preferences });
      const before = client.getQueryData<Preferences>(meKeys.preferences);
      if (before) {
        wish.shown = cameTo(wish.change, before);
        client.setQueryData(meKeys.preferences, { ...before, ...wish.shown });
      }
      return before;
    },
    onSuccess: (now) => {
      if (isLast()) client.setQueryData(meKeys.preferences, now);
    },
    onError: async (error, wish, before) => {
      unsent.delete(wish);
      if (isLast()) client.setQueryData(meKeys.preferences, before);
      onRefused?.(error, before);
      await client.invalidateQueries({ queryKey: meKeys.preferences });
    },
  });
  return useCallback(
    (change) => {
      const wish = { change, client };
      unsent.add(wish);
      mutate(wish);
    },
    [client, mutate],
  );
}
