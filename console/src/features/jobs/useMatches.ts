/** Matches of a search in lines that keep growing: only what is new is looked at. */
import { useRef } from 'react';
import { findMatches } from '@/ui/log-lines';
import type { Line } from '@/ui/log-lines';

interface Seen {
  search: string;
  lines: Line[] | null;
  first: Line | undefined;
  upTo: number;
  found: number[];
}

export function useMatches(lines: Line[], search: string): number[] {
  const seen = useRef<Seen>({ search: '', lines: null, first: undefined, upTo: 0, found: [] });
  const last = seen.current;
  const same = last.search === search && last.lines === lines && last.first === lines[0] && last.upTo <= lines.length;
  if (same && last.upTo === lines.length) return last.found;
  const fresh = findMatches(lines, search, same ? last.upTo : 0);
  const found = same && fresh.length === 0 ? last.found : same ? [...last.found, ...fresh] : fresh;
  seen.current = { search, lines, first: lines[0], upTo: lines.length, found };
  return found;
}
