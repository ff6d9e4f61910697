/** Short messages in the corner; what draws them is loaded with the first one. */
import { lazy, Suspense, useSyncExternalStore } from 'react';

const load = () => import('./Toasts');
const Toasts = lazy(load);

export interface Note {
  message: string;
  title?: string;
  /** Something failed. */
  bad?: boolean;
  /** What one may want to do about it. */
  action?: { label: string; run: () => void };
}

let wanted = false;
const listeners = new Set<() => void>();

export function notify(note: Note): void {
  wanted = true;
  for (const listener of listeners) listener();
  void load().then(({ show }) => show(note));
}

export function ToastCorner() {
  const needed = useSyncExternalStore(watch, () => wanted);
  return needed ? <Suspense fallback={null}><Toasts /></Suspense> : null;
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
