/** Where a carried row is: by the pointer's height, and by keys. */

/** The place whose middle is nearest; places that are not on the page (undefined) do not count. */
export function nearest(middles: readonly (number | undefined)[], y: number): number | undefined {
  let best: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (const [at, middle] of middles.entries()) {
    if (middle === undefined || Math.abs(middle - y) >= distance) continue;
    best = at;
    distance = Math.abs(middle - y);
  }
  return best;
}

export type KeyStep = 'lift' | 'drop' | 'cancel' | number;

/** What a key asks for: to take a row up, to put it down, to give up, or to carry it to a place. */
export function keyStep(key: string, carried: { slots: readonly string[]; to: number } | null): KeyStep | undefined {
  const pressed = key === ' ' || key === 'Enter';
  if (!carried) return pressed ? 'lift' : undefined;
  const last = carried.slots.length - 1;
  if (pressed) return 'drop';
  if (key === 'Escape') return 'cancel';
  if (key === 'ArrowUp') return Math.max(0, carried.to - 1);
  if (key === 'ArrowDown') return Math.min(last, carried.to + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return undefined;
}
