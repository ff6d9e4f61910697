/** The time zone in which times are shown: the person's choice, or the browser's own. */
import { useSyncExternalStore } from 'react';
import { remember, stored } from './storage';

const STORAGE_KEY = 'danlu.time-zone';

let chosen = known(stored(STORAGE_KEY));
const watchers = new Set<() => void>();

/** The chosen zone, such as `Asia/Shanghai`; undefined is the browser's own. */
export const timeZone = (): string | undefined => chosen;

/** For components that show times: they are drawn anew when the zone changes. */
export function useTimeZone(): string | undefined {
  return useSyncExternalStore(watch, timeZone);
}

/** Switches and remembers; null goes back to the browser's own. */
export function chooseTimeZone(zone: string | null): void {
  const next = known(zone);
  if (next === chosen) return;
  chosen = next;
  remember(STORAGE_KEY, next ?? null);
  for (const watcher of watchers) watcher();
}

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A zone that this browser does not know would break every time on the page. */
function known(zone: string | null): string | undefined {
  if (!zone) return undefined;
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
