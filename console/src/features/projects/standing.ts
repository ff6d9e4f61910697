/** How the bars of a project's standing are drawn. */
import type { ShareAmount } from '@/api/rules/projects';

export type Mark = 'deserved' | 'guarantee' | 'cap';
const MARKS: readonly Mark[] = ['deserved', 'guarantee', 'cap'];

/** Those of which there is something to say. */
export function toShow(amounts: readonly ShareAmount[]): ShareAmount[] {
  return amounts.filter(
    ({ held, queued, guarantee, cap, deserved }) => held > 0 || queued > 0 || guarantee !== null || cap !== null || (deserved ?? 0) > 0,
  );
}

export function marksOf(amount: ShareAmount): [mark: Mark, value: number][] {
  return MARKS.flatMap((mark) => (amount[mark] === null ? [] : [[mark, amount[mark]] satisfies [Mark, number]]));
}

/** What a whole bar stands for. */
export function scaleOf(amount: ShareAmount): number {
  return Math.max(amount.held + amount.queued, ...marksOf(amount).map(([, value]) => value));
}

/** A part of the bar, in CSS. */
export function sizeOf(value: number, scale: number): string {
  return `${scale > 0 ? Math.min(100, (value / scale) * 100) : 0}%`;
}
