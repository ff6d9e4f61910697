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

const NONE: Preferences = { language: null, theme: null, time_zone: null, views: [], dismissed: [], news_seen: null };

/** What is known so far; before the answer, nothing special. */
export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? NONE;
}

/** Changes some of them: on the screen at once, taken back if the server refuses. */
export function useChangePreferences(onRefused?: (error: Error) => void): (change: PreferencesChange) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: changePreferences,
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: keys.preferences });
      const before = client.getQueryData<Preferences>(keys.preferences);
      client.setQueryData<Preferences>(keys.preferences, { ...(before ?? NONE), ...change });
      return before;
    },
    onSuccess: (now) => client.setQueryData(keys.preferences, now),
    onError: (error, _change, before) => {
      client.setQueryData(keys.preferences, before);
      void client.invalidateQueries({ queryKey: keys.preferences });
      onRefused?.(error);
    },
  });
  return mutate;
}
