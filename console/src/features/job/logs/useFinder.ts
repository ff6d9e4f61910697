/** Going from one line of a log to the next that contains some words, or that tells of a failure. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { logKeys, searchLog } from '@/api/logs';
import type { LogSource } from '@/api/logs';
import { containing, LineIndex, tellsOfFailure } from '@/ui/log/log-lines';
import type { Line } from '@/ui/log/log-lines';
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

export interface WordFinder extends Finder {
  /** All that were found, wherever they are; none unless they are collected. */
  lines: Line[];
}

const NOTHING: Line[] = [];
/** A search for an earlier failure goes so many steps back before it gives up. */
const MOST_STEPS_BACK = 20;
/** So many lines are looked at in one go: the page must answer meanwhile. */
const AT_ONCE = 50_000;
const FOUND_KEPT_MS = 60_000;

/** Lines with the words: those on the page, live ones too, and those of the rest of the log, which the server finds once. */
export function useWordFinder(source: LogSource, log: Log, words: string, current: number | undefined, collect: boolean): WordFinder {
  const [local, complete] = useLocal(
    useMemo(() => containing(words), [words]),
    log,
  );
  const first = log.lines[0]?.offset ?? 0;
  const last = log.lines.at(-1)?.offset ?? 0;
  const elsewhere = useFoundLines(source, words, words !== '' && (log.hasEarlier || log.detached), first);
  const earlier = useMemo(
    () => (log.hasEarlier ? elsewhere.lines.filter(({ offset }) => offset < first) : NOTHING),
    [elsewhere, first, log.hasEarlier],
  );
  const later = useMemo(
    () => (log.detached ? elsewhere.lines.filter(({ offset }) => offset > last) : NOTHING),
    [elsewhere, last, log.detached],
  );
  const { lines: all, base } = log;
  const lines = useMemo(
    () =>
      collect
        ? earlier.concat(
            local.map((number) => all[number - base]!),
            later,
          )
        : NOTHING,
    [collect, earlier, local, later, all, base],
  );
  const at = placeIn(local, current);
  const step = async (by: 1 | -1) => {
    const next = nextOf(local, current, by);
    if (next !== null) return next;
    const order = by === 1 ? [later[0], earlier[0]] : [earlier.at(-1), later.at(-1)];
    const wanted = order.find((line) => line !== undefined);
    // Around the end to the other side.
    return (wanted ? await log.store.find(wanted) : null) ?? (by === 1 ? local[0] : local.at(-1)) ?? null;
  };
  return {
    position: at < 0 ? 0 : earlier.length + at + 1,
    count: earlier.length + local.length + later.length,
    more: !complete || elsewhere.more,
    step,
    lines,
  };
}

/** Lines that tell of a failure: those on the page; going back fetches earlier ones. */
export function useFailureFinder(log: Log, current: number | undefined): Finder {
  const [local, complete, index] = useLocal(tellsOfFailure, log);
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
  return { position: placeIn(local, current) + 1, count: local.length, more: !complete || log.hasEarlier || log.detached, step };
}

interface Elsewhere {
  lines: Line[];
  upTo: number;
  more: boolean;
}

const NOWHERE: Elsewhere = { lines: NOTHING, upTo: 0, more: false };

/** Matching lines of the whole log, which the server finds; asked again once lines it has not seen left the page. */
function useFoundLines(source: LogSource, words: string, enabled: boolean, first: number): Elsewhere {
  const { data, refetch, isFetching } = useQuery({
    queryKey: logKeys.search(source.job, source.task, source.attempt, words),
    queryFn: async ({ signal }): Promise<Elsewhere> => {
      const found = await searchLog(source, words, signal);
      return { ...found, lines: found.lines.map(fromPage) };
    },
    enabled,
    gcTime: FOUND_KEPT_MS,
  });
  const behind = enabled && !isFetching && data !== undefined && !data.more && data.upTo < first;
  useEffect(() => {
    if (behind) void refetch();
  }, [behind, refetch]);
  return data ?? NOWHERE;
}

/** The numbers of lines on the page that pass a test, and whether all were looked at; of very many, some with each drawing. */
function useLocal(test: (line: Line) => boolean, log: Log): [found: number[], complete: boolean, index: LineIndex] {
  const kept = useRef<{ test: typeof test; index: LineIndex }>(null);
  if (kept.current?.test !== test) kept.current = { test, index: new LineIndex(test) };
  const { index } = kept.current!;
  const [round, goOn] = useReducer((count: number) => count + 1, 0);
  const found = index.update(log.lines, log.base, AT_ONCE);
  const { complete } = index;
  useEffect(() => {
    if (complete) return undefined;
    const timer = setTimeout(goOn);
    return () => clearTimeout(timer);
  }, [complete, round, index]);
  return [found, complete, index];
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
