/** Which rows of a long table are on the screen, and how they stay there when others come or go above them. */
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

export const HEAD_HEIGHT = 34;
/** Where the height is not known yet. */
const LIKELY_HEIGHT = 640;
/** How many rows are remembered as what one reads: the first of them that is still there holds the place. */
const ANCHORS = 12;

export interface Span {
  first: number;
  last: number;
}

export function spanOf(top: number, height: number, rowHeight: number): Span {
  const first = Math.max(0, Math.floor(top / rowHeight));
  return { first, last: Math.max(first, Math.ceil((top + height) / rowHeight) - 1) };
}

/** The rows in view, whether loaded or not; `look` looks again without waiting for the browser to say that it scrolled. */
export function useSpan(scroller: HTMLElement | null, rowHeight: number): [span: Span, look: () => void] {
  const [span, setSpan] = useState(() => spanOf(0, LIKELY_HEIGHT, rowHeight));
  const height = useRef(0);
  const look = useCallback(() => {
    const top = scroller?.scrollTop ?? 0;
    setSpan((old) => {
      const next = spanOf(top, height.current, rowHeight);
      return next.first === old.first && next.last === old.last ? old : next;
    });
  }, [scroller, rowHeight]);
  useLayoutEffect(() => {
    if (!scroller) return undefined;
    const measure = () => {
      height.current = (scroller.clientHeight || LIKELY_HEIGHT) - HEAD_HEIGHT;
      look();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [scroller, look]);
  return [span, look];
}

/** How many rows more stand above what was read, or 0 where none of it is left. */
export function shiftOf(read: ReadonlyMap<string, number>, keys: readonly string[]): number {
  if (read.size === 0) return 0;
  const now = new Map<string, number>();
  keys.forEach((key, index) => read.has(key) && now.set(key, index));
  for (const [key, index] of read) {
    const at = now.get(key);
    if (at !== undefined) return at - index;
  }
  return 0;
}

/**
 * Keeps what is being read where it is, and says by how many rows it had to scroll for that. Only at the very top, and with no row
 * in focus or with its menu open, new rows come in and push the others down: there one waits for them.
 */
export function useAnchor(
  scroller: HTMLElement | null,
  rows: unknown[],
  rowKey: (row: unknown) => string,
  rowHeight: number,
  first: number,
  onMoved: (rows: number) => void,
): void {
  const read = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    if (!scroller || (scroller.scrollTop < rowHeight / 2 && !isHeld(scroller))) return;
    const shift = shiftOf(read.current, rows.map(rowKey));
    if (shift === 0) return;
    scroller.scrollTop += shift * rowHeight;
    onMoved(shift);
    // Only other rows are a reason.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows]);
  useLayoutEffect(() => {
    read.current.clear();
    for (let index = first; index < Math.min(rows.length, first + ANCHORS); index += 1) read.current.set(rowKey(rows[index]), index);
  }, [rows, rowKey, first]);
}

/** The row in focus. */
export function focusedRow(scroller: HTMLElement | null): HTMLElement | null {
  const row = document.activeElement?.closest<HTMLElement>('tbody tr') ?? null;
  return row && scroller?.contains(row) ? row : null;
}

function isHeld(scroller: HTMLElement): boolean {
  return focusedRow(scroller) !== null || scroller.querySelector('tbody [aria-expanded="true"]') !== null;
}
