/** Which rows of a table are chosen, by their keys; a row that is gone is not chosen any more. */
import { useCallback, useMemo, useRef, useState } from 'react';

export interface Chosen<Row> {
  keys: ReadonlySet<string>;
  /** In the order of the table. */
  rows: Row[];
  toggle: (key: string, range: boolean) => void;
  toggleAll: () => void;
  drop: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** `keyOf` must keep its identity. */
export function useChosen<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Chosen<Row> {
  const [wanted, setWanted] = useState(NONE);
  const latest = useRef<string[]>([]);
  latest.current = rows.map(keyOf);
  const last = useRef<string | null>(null);
  const toggle = useCallback((key: string, range: boolean) => {
    const [from, to] = [range && last.current !== null ? latest.current.indexOf(last.current) : -1, latest.current.indexOf(key)];
    last.current = key;
    setWanted((old) => {
      const next = new Set(old);
      if (from !== -1 && to !== -1)
        for (const between of latest.current.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(between);
      else if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const toggleAll = useCallback(
    () => setWanted((old) => (latest.current.every((key) => old.has(key)) ? NONE : new Set(latest.current))),
    [],
  );
  const drop = useCallback(() => setWanted(NONE), []);
  return useMemo(() => {
    const here = wanted.size > 0 ? rows.filter((row) => wanted.has(keyOf(row))) : [];
    return { keys: new Set(here.map(keyOf)), rows: here, toggle, toggleAll, drop };
  }, [wanted, rows, keyOf, toggle, toggleAll, drop]);
}
