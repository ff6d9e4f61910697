/** How the signed-in person likes the console: kept by the server, so that it follows them to every browser. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { changePreferences, getPreferences } from '@/api/me';
import type { PreferencesChange } from '@/api/me';
import type { Preferences } from '@/api/types';

export const preferencesQuery = queryOptions({
  queryKey: keys.preferences,
  queryFn: ({ signal }) => getPreferences(signal),
  staleTime: 5 * 60_000,
});

/** Null until they are known. */
export function usePreferences(): Preferences | null {
  return useQuery(preferencesQuery).data ?? null;
}

/** A change, or how it follows from what is kept: lists are written as a whole, and another tab may have added to them. */
export type Change = PreferencesChange | ((kept: Preferences) => PreferencesChange);

const KEY = ['change-preferences'];

/** Changes some of them, one change after the other: on the screen at once, taken back if the server refuses. */
export function useChangePreferences(onRefused?: (error: Error, before: Preferences | undefined) => void): (change: Change) => void {
  const client = useQueryClient();
  // The answer to one change does not know of the next.
  const isLast = () => client.isMutating({ mutationKey: KEY }) === 1;
  const { mutate } = useMutation({
    mutationKey: KEY,
    scope: { id: 'preferences' },
    mutationFn: async (change: Change) => changePreferences(typeof change === 'function' ? change(await getPreferences()) : change),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: keys.preferences });
      const before = client.getQueryData<Preferences>(keys.preferences);
      if (before) client.setQueryData(keys.preferences, { ...before, ...(typeof change === 'function' ? change(before) : change) });
      return before;
    },
    onSuccess: (now) => {
      if (isLast()) client.setQueryData(keys.preferences, now);
    },
    onError: async (error, _change, before) => {
      if (isLast()) client.setQueryData(keys.preferences, before);
      onRefused?.(error, before);
      await client.invalidateQueries({ queryKey: keys.preferences });
    },
  });
  return mutate;
}
