/** Which columns the job table shows: the person's choice, remembered by this browser, or what fits the window. */
import { useCallback, useState, useSyncExternalStore } from 'react';
import type { MessageKey } from '@/app/i18n';
import { remember, stored } from '@/app/storage';

export const COLUMN_IDS = [
  'name',
  'state',
  'size',
  'node',
  'progress',
  'metric',
  'owner',
  'project',
  'kind',
  'priority',
  'image',
  'created',
  'queued',
  'started',
  'ended',
  'duration',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

export const COLUMN_WORDS: Record<ColumnId, MessageKey> = {
  name: 'jobs.name',
  state: 'jobs.state',
  size: 'jobs.size',
  node: 'jobs.node',
  progress: 'jobs.progress',
  metric: 'jobs.metric',
  owner: 'jobs.owner',
  project: 'jobs.project',
  kind: 'jobs.kind',
  priority: 'jobs.priority',
  image: 'jobs.image',
  created: 'jobs.created',
  queued: 'jobs.queued',
  started: 'jobs.started',
  ended: 'jobs.ended',
  duration: 'jobs.duration',
};

/** By the fewest pixels the window must have. */
const FITTING: [atLeast: number, columns: ColumnId[]][] = [
  [1800, ['name', 'state', 'size', 'node', 'progress', 'metric', 'owner', 'project', 'kind', 'priority', 'created', 'duration']],
  [1600, ['name', 'state', 'size', 'node', 'progress', 'metric', 'owner', 'project', 'created', 'duration']],
  [1400, ['name', 'state', 'size', 'node', 'progress', 'metric', 'owner', 'duration']],
  [1240, ['name', 'state', 'size', 'progress', 'metric', 'owner', 'duration']],
  [1000, ['name', 'state', 'size', 'progress', 'owner', 'duration']],
  [700, ['name', 'state', 'progress', 'duration']],
  [0, ['name', 'state']],
];

export function fitting(width: number): ColumnId[] {
  return FITTING.find(([atLeast]) => width >= atLeast)![1];
}

/** "name,size" in our order; the name is always there. Null for a text that names no column. */
export function readColumns(text: string | null | undefined): ColumnId[] | null {
  const named = new Set(text?.split(','));
  const known = COLUMN_IDS.filter((id) => named.has(id));
  return known.length > 0 ? COLUMN_IDS.filter((id) => id === 'name' || named.has(id)) : null;
}

const KEY = 'danlu.jobs.columns';

/** Null: what fits. */
export function useColumnChoice(): [chosen: ColumnId[] | null, choose: (columns: ColumnId[] | null) => void] {
  const [chosen, setChosen] = useState(() => readColumns(stored(KEY)));
  const choose = useCallback((columns: ColumnId[] | null) => {
    setChosen(columns);
    remember(KEY, columns?.join(',') ?? null);
  }, []);
  return [chosen, choose];
}

/** What fits the window now; the same array until the next step is reached. */
export function useFittingColumns(): ColumnId[] {
  return useSyncExternalStore(watchWidth, () => fitting(innerWidth));
}

function watchWidth(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}
