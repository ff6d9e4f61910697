/** The corner of short messages; what draws them is loaded with the first one. */
import { lazy, Suspense, useSyncExternalStore } from 'react';

const load = () => import('./Toasts');
const Toasts = lazy(load);

let wanted = false;
const listeners = new Set<() => void>();

/** Opens the corner and gives what draws in it. */
export function openCorner(): ReturnType<typeof load> {
  wanted = true;
  for (const listener of listeners) listener();
  return load();
}

/** Takes away what is shown: it tells of jobs of the person who was here. */
export function clearCorner(): void {
  if (wanted) void load().then(({ clear }) => clear());
}

export function ToastCorner() {
  const needed = useSyncExternalStore(watch, () => wanted);
  return needed ? (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  ) : null;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
