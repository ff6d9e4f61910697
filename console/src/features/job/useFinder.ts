/** Going from one line of a log to the next that contains some words, or that tells of a failure. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { keys } from '@/api/keys';
import { searchLog } from '@/api/logs';
import type { LogSource } from '@/api/logs';
import { containing, LineIndex, tellsOfFailure } from '@/ui/log-lines';
import type { Line } from '@/ui/log-lines';
import { fromPage } from './task-log';
import type { Log } from './useLog';

export interface Finder {
  /** Of the current line among all that were found, from 1; 0 where the current line is none of them. */
  position: number;
  count: number;
  /** The log has parts that were not looked at. */
  more: boolean;
  /** The number of the next or previous one from the current line on. */
  step: (by: 1 | -1) => Promise<number | null>;
}

const NOTHING: Line[] = [];
/** A search for an earlier failure goes so many steps back before it gives up. */
const MOST_STEPS_BACK = 20;

/** Lines with the words: those on the page, and those of the rest of the log, which the server finds. */
export function useWordFinder(source: LogSource, log: Log, words: string, current: number | undefined): Finder {
  const index = useIndex(useMemo(() => containing(words), [words]));
  const local = index.update(log.lines, log.base);
  const elsewhere = useFoundLines(source, words, words !== '' && (log.hasEarlier || log.detached), 0);
  const first = log.lines[0]?.offset ?? 0;
  const last = log.lines.at(-1)?.offset ?? 0;
  const earlier = log.hasEarlier ? elsewhere.filter(({ offset }) => offset < first) : NOTHING;
  const later = log.detached ? elsewhere.filter(({ offset }) => offset > last) : NOTHING;
  const at = placeIn(local, current);
  const step = async (by: 1 | -1) => {
    const next = nextOf(local, current, by);
    if (next !== null) return next;
    const order = by === 1 ? [later[0], earlier[0]] : [earlier.at(-1), later.at(-1)];
    const wanted = order.find((line) => line !== undefined);
    // Around the end to the other side.
    return (wanted ? await log.store.find(wanted) : null) ?? (by === 1 ? local[0] : local.at(-1)) ?? null;
  };
  return { position: at < 0 ? 0 : earlier.length + at + 1, count: earlier.length + local.length + later.length, more: false, step };
}

/** Lines that tell of a failure: those on the page; going back fetches earlier ones. */
export function useFailureFinder(log: Log, current: number | undefined): Finder {
  const index = useIndex(tellsOfFailure);
  const local = index.update(log.lines, log.base);
  const step = async (by: 1 | -1) => {
    let next = nextOf(local, current, by);
    const { store } = log;
    const most = by === -1 ? MOST_STEPS_BACK : 0;
    for (let steps = 0; next === null && steps < most; steps += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      if (!(await store.earlier())) break;
      next = nextOf(index.update(store.buffer.lines, store.buffer.base), current, by);
    }
    return next ?? (by === 1 ? local[0] : local.at(-1)) ?? null;
  };
  return { position: placeIn(local, current) + 1, count: local.length, more: log.hasEarlier || log.detached, step };
}

/** Matching lines of the whole log, which the server finds; asked again as new lines come. */
export function useFoundLines(source: LogSource, words: string, enabled: boolean, version: number): Line[] {
  const found = useQuery({
    queryKey: [...keys.logSearch(source.job, source.task, source.attempt, words), version],
    queryFn: async ({ signal }) => (await searchLog(source, words, signal)).map(fromPage),
    placeholderData: (old, query) => (query?.queryKey[4] === words ? old : undefined),
    enabled,
  });
  return found.data ?? NOTHING;
}

function useIndex(test: (line: Line) => boolean): LineIndex {
  const kept = useRef<{ test: typeof test; index: LineIndex }>(null);
  if (kept.current?.test !== test) kept.current = { test, index: new LineIndex(test) };
  return kept.current!.index;
}

/** The nearest after or before; without a current line the last, which is the newest. */
export function nextOf(found: number[], current: number | undefined, by: 1 | -1): number | null {
  if (current === undefined) return found.at(-1) ?? null;
  const after = firstAfter(found, by === 1 ? current : current - 1);
  return (by === 1 ? found[after] : found[after - 1]) ?? null;
}

export function placeIn(found: number[], current: number | undefined): number {
  if (current === undefined) return -1;
  const at = firstAfter(found, current - 1);
  return found[at] === current ? at : -1;
}

/** The index of the first that is larger. */
function firstAfter(found: number[], value: number): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (found[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
