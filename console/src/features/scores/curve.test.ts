import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '@/api/queue';
import { added, courseOf, linesOf, millisOf, scoreAt, scoreLater } from './curve';

const HOUR = 3_600_000;
const T = 6 * HOUR;
const NOW = Date.parse('2026-05-02T00:00:00Z');

/** A row as the server would answer it at NOW; hours are before NOW. */
function ledgerRow(amount: number, began: number, ended: number | null): LedgerRow {
  const times = {
    began: new Date(NOW - began * HOUR).toISOString(),
    ended: ended === null ? null : new Date(NOW - ended * HOUR).toISOString(),
  };
  const adds = added({ amount, began: NOW - began * HOUR, ended: ended === null ? null : NOW - ended * HOUR }, NOW, T);
  return { job_id: 'j1', job_name: 'bert', attempt: 1, task: 'worker-0', model: 'A100', amount, ...times, adds };
}

const sum = (rows: LedgerRow[]) => rows.reduce((total, row) => total + row.adds, 0);

describe('what a charge adds', () => {
  // The table of the guide: somebody who never used anything holds 8 GPUs, T is 6 h.
  it.each([
    [6, 5.06],
    [12, 6.92],
    [24, 7.85],
  ])('after %i hours of holding 8 is %f', (hours, score) => {
    expect(added({ amount: 8, began: 0, ended: null }, hours * HOUR, T)).toBeCloseTo(score, 2);
  });

  it.each([
    [6, 2.89],
    [24, 0.14],
  ])('%i hours after 24 hours of holding 8 is %f', (hours, score) => {
    expect(added({ amount: 8, began: 0, ended: 24 * HOUR }, (24 + hours) * HOUR, T)).toBeCloseTo(score, 2);
  });

  it('is nothing before it began', () => {
    expect(added({ amount: 8, began: 10, ended: 20 }, 5, T)).toBe(0);
    expect(added({ amount: 8, began: 10, ended: 10 }, 50, T)).toBe(0);
  });

  it('weighs two halves as much as the whole', () => {
    const whole = added({ amount: 8, began: 0, ended: 3 * HOUR }, 5 * HOUR, T);
    const halves =
      added({ amount: 8, began: 0, ended: HOUR }, 5 * HOUR, T) + added({ amount: 8, began: HOUR, ended: 3 * HOUR }, 5 * HOUR, T);
    expect(halves).toBeCloseTo(whole, 12);
  });
});

describe('the course of a score', () => {
  const histories: LedgerRow[][] = [
    [],
    [ledgerRow(8, 24, null)],
    [ledgerRow(4, 3, null), ledgerRow(0.5, 20, 2), ledgerRow(8, 40, 30)],
    Array.from({ length: 60 }, (_, at) => ledgerRow(1 + (at % 7), at + 2.5, at + 0.25)),
  ];

  it.each(histories.map((rows) => [rows]))('is now what the rows add up to', (rows) => {
    const course = courseOf(NOW, { score: sum(rows), held: 0 }, T, { rows, more: false });
    expect(scoreAt(course, NOW)).toBeCloseTo(sum(rows), 9);
    const { past, times } = linesOf(course);
    expect(past[times.indexOf(NOW)]).toBeCloseTo(sum(rows), 9);
  });

  it('obeys s′ = (g − s)/T at every moment', () => {
    const rows = histories[2]!;
    const course = courseOf(NOW, { score: sum(rows), held: 4 }, T, { rows, more: false });
    for (const hours of [35, 25, 10, 5, 2.5, 1]) {
      const at = NOW - hours * HOUR;
      const inUse = course.charges.reduce((held, { amount, began, ended }) => held + (began <= at && at < (ended ?? NOW) ? amount : 0), 0);
      const slope = (scoreAt(course, at + 1000) - scoreAt(course, at - 1000)) / 2000;
      expect(slope * T).toBeCloseTo(inUse - scoreAt(course, at), 3);
    }
  });

  it('is exact as far back as the rows are loaded, whatever lies before', () => {
    const rows = histories[3]!;
    const all = courseOf(NOW, { score: sum(rows), held: 0 }, T, { rows, more: false });
    const some = courseOf(NOW, { score: sum(rows), held: 0 }, T, { rows: rows.slice(0, 20), more: true });
    expect(some.knownFrom).toBe(NOW - 19.25 * HOUR);
    for (const hours of [0, 3, 10, 15, 19]) expect(scoreAt(some, NOW - hours * HOUR)).toBeCloseTo(scoreAt(all, NOW - hours * HOUR), 6);
    expect(linesOf(some).times[0]).toBe(some.knownFrom);
  });

  it('knows when the rows do not add up to it, as after a change of T', () => {
    const rows = histories[1]!;
    expect(courseOf(NOW, { score: sum(rows) + 0.001, held: 8 }, T, { rows, more: false }).differs).toBe(false);
    expect(courseOf(NOW, { score: sum(rows) + 0.5, held: 8 }, T, { rows, more: false }).differs).toBe(true);
    expect(courseOf(NOW, { score: sum(rows) + 0.5, held: 8 }, T, { rows, more: true }).differs).toBe(false);
  });

  it('fades to 37, 14 and 2 percent when nothing more is used, and settles at what is kept', () => {
    const course = courseOf(NOW, { score: 10, held: 8 }, T, { rows: [], more: false });
    expect(scoreLater(course, NOW + T, 0)).toBeCloseTo(3.68, 2);
    expect(scoreLater(course, NOW + 2 * T, 0)).toBeCloseTo(1.35, 2);
    expect(scoreLater(course, NOW + 4 * T, 0)).toBeCloseTo(0.18, 2);
    expect(scoreLater(course, NOW + 40 * T, 8)).toBeCloseTo(8, 6);
  });

  it('goes on from where it stands', () => {
    const rows = histories[1]!;
    const { times, past, unused, kept } = linesOf(courseOf(NOW, { score: sum(rows), held: 8 }, T, { rows, more: false }));
    const now = times.indexOf(NOW);
    expect(unused[now]).toBeCloseTo(past[now]!, 9);
    expect(kept[now]).toBeCloseTo(past[now]!, 9);
    expect(past[now + 1]).toBeNull();
    expect(unused[now - 1]).toBeNull();
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe('durations of the server', () => {
  it.each([
    ['6h', T],
    ['1h30m', 5_400_000],
    ['90ms', 90],
    ['1d2h', 26 * HOUR],
    ['0s', 0],
  ])('%s', (text, millis) => {
    expect(millisOf(text)).toBe(millis);
  });
});
