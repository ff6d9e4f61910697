/** What lies over the whole console: the command palette or the sheet of shortcuts, one at a time. */
import { useSyncExternalStore } from 'react';

export type Overlay = 'palette' | 'shortcuts';

let open: Overlay | null = null;
const watchers = new Set<() => void>();

export function openOverlay(overlay: Overlay | null): void {
  open = overlay;
  for (const watcher of watchers) watcher();
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(watch, () => open);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
