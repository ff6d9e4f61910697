/** One action on many jobs: which of them it suits, and doing it a few at a time. */
import type { JobRow } from '@/api/jobs';
import { likely } from '@/parts/jobs/actions';
import type { DirectAction } from '@/parts/jobs/actions';

export const BULK_ACTIONS = ['start', 'stop', 'restart', 'delete'] as const satisfies readonly DirectAction[];
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Requests under way at once: quick for the person, easy on the server. */
export const AT_ONCE = 4;

/** Nobody, not even an administrator, runs jobs in the name of others. */
const OWNERS_ONLY: ReadonlySet<BulkAction> = new Set(['start', 'restart']);

export function suited(jobs: readonly JobRow[], action: BulkAction, me: string): JobRow[] {
  return jobs.filter(({ state, owner }) => likely(state).includes(action) && (owner === me || !OWNERS_ONLY.has(action)));
}

export interface Outcome<Item> {
  done: Item[];
  refused: { item: Item; error: unknown }[];
  /** Left alone, because it was cancelled before their turn. */
  left: Item[];
}

interface Options<Item> {
  signal: AbortSignal;
  /** After each one. */
  onProgress?: (outcome: Outcome<Item>) => void;
  atOnce?: number;
}

/** Does the work for each item, `atOnce` at a time. A refusal stops none of the others; cancelling lets what is under way finish. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { signal, onProgress, atOnce = AT_ONCE }: Options<Item>,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], refused: [], left: [] };
  const waiting = [...items];
  const worker = async () => {
    while (!signal.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      try {
        // oxlint-disable-next-line no-await-in-loop -- each worker does one at a time
        await work(item);
        outcome.done.push(item);
      } catch (error) {
        outcome.refused.push({ item, error });
      }
      onProgress?.({ ...outcome });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { ...outcome, left: waiting };
}
