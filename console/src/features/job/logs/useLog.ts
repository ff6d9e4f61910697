/** The log of one task on the page. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LogSource } from '@/api/logs';
import { MOST_LINES } from '@/ui/log/log-lines';
import type { Line } from '@/ui/log/log-lines';
import { TaskLog } from './task-log';
import type { LogState } from './task-log';

export interface Log extends LogState {
  store: TaskLog;
  lines: Line[];
  version: number;
  base: number;
  firstNumber: number | null;
  hasEarlier: boolean;
}

/** Several logs side by side share the memory that one may take. The caller gives each source a key of its own. */
export function useLog(source: LogSource, finished: boolean, sharedBy: number): Log {
  // A job that ends while being watched is still followed to its end; only the state at opening counts.
  const [store] = useState(() => new TaskLog(source, finished, Math.floor(MOST_LINES / sharedBy)));
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const version = useSyncExternalStore(store.buffer.subscribe, store.buffer.snapshot);
  useEffect(() => {
    void store.open();
    return () => store.close();
  }, [store]);
  const { lines, base } = store.buffer;
  return { ...state, store, lines, version, base, firstNumber: store.firstNumber, hasEarlier: store.hasEarlier };
}
