/** Which jobs are chosen. The choice outlives updates of the list, also where a job leaves it meanwhile. */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { JobRow } from '@/api/jobs';

/** With `range`, all rows between the last one touched and this one are chosen too. */
export function toggled(
  chosen: ReadonlySet<string>,
  key: string,
  range: boolean,
  last: string | null,
  order: readonly string[],
): Set<string> {
  const next = new Set(chosen);
  const from = range && last !== null ? order.indexOf(last) : -1;
  const to = order.indexOf(key);
  if (from !== -1 && to !== -1) {
    for (const between of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(between);
  } else if (!next.delete(key)) {
    next.add(key);
  }
  return next;
}

export interface Selection {
  ids: ReadonlySet<string>;
  /** As last seen, in the order of the list; those that left it come last. */
  jobs: JobRow[];
  /** How many of them are no longer in the list. */
  gone: number;
  toggle: (id: string, range: boolean) => void;
  toggleAll: () => void;
  /** Takes these out of the choice; all of them without a list. */
  drop: (ids?: readonly string[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** `scope` names the list: another one begins with nothing chosen. */
export function useSelection(rows: JobRow[], scope: string): Selection {
  const [state, setState] = useState({ scope, ids: NONE });
  const { ids } = state.scope === scope ? state : { ids: NONE };
  if (state.scope !== scope) setState({ scope, ids });
  const seen = useRef(new Map<string, JobRow>());
  const latest = useRef(rows);
  latest.current = rows;
  const last = useRef<string | null>(null);

  const change = useCallback(
    (by: (ids: ReadonlySet<string>) => ReadonlySet<string>) => setState((old) => ({ ...old, ids: by(old.ids) })),
    [],
  );
  const toggle = useCallback(
    (id: string, range: boolean) => {
      const from = last.current;
      last.current = id;
      const order = range ? latest.current.map((row) => row.id) : [id];
      change((old) => toggled(old, id, range, from, order));
    },
    [change],
  );
  const toggleAll = useCallback(() => {
    const all = latest.current.map(({ id }) => id);
    change((old) => (all.every((id) => old.has(id)) ? NONE : new Set([...old, ...all])));
  }, [change]);
  const drop = useCallback(
    (gone?: readonly string[]) => {
      change((old) => (gone ? new Set([...old].filter((id) => !gone.includes(id))) : NONE));
    },
    [change],
  );

  return useMemo(() => {
    const here = ids.size > 0 ? rows.filter(({ id }) => ids.has(id)) : [];
    for (const job of here) seen.current.set(job.id, job);
    const present = new Set(here.map(({ id }) => id));
    const left = [...ids].filter((id) => !present.has(id)).flatMap((id) => seen.current.get(id) ?? []);
    return { ids, jobs: [...here, ...left], gone: left.length, toggle, toggleAll, drop };
  }, [ids, rows, seen, toggle, toggleAll, drop]);
}
