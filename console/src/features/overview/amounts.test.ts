import { describe, expect, it } from 'vitest';
import { partsOf, progressOf, sumOf } from './amounts';

describe('a bar', () => {
  it('divides into mine, others and free', () => {
    expect(partsOf({ total: 8, used: 6, others: 0, mine_used: 2 })).toEqual({ mineShare: 0.25, othersShare: 0.5 });
    expect(partsOf({ total: 8, used: 2, others: 4, mine_used: 2 })).toEqual({ mineShare: 0.25, othersShare: 0.5 });
  });

  it('is never longer than it is', () => {
    expect(partsOf({ total: 8, used: 20, others: 0, mine_used: 6 })).toEqual({ mineShare: 0.75, othersShare: 0.25 });
    expect(partsOf({ total: 0, used: 0, others: 0, mine_used: 0 })).toEqual({ mineShare: 0, othersShare: 0 });
  });

  it('of the whole cluster sums the models', () => {
    expect(
      sumOf([
        { total: 8, used: 2, others: 3 },
        { total: 4, used: 0.5, others: 0 },
      ]),
    ).toEqual({ total: 12, used: 5.5 });
  });
});

describe('progress', () => {
  const now = Date.parse('2026-05-01T11:00:00Z');
  const began = '2026-05-01T10:00:00Z';

  it('goes toward the longest time before the expected one', () => {
    expect(progressOf({ spec: { max_time: '4h', expected_time: '2h' }, started_at: began }, now)).toEqual({
      share: 0.25,
      limit: 14_400_000,
      hard: true,
    });
    expect(progressOf({ spec: { expected_time: '2h' }, started_at: began }, now)).toMatchObject({ share: 0.5, hard: false });
  });

  it('ends at its end', () => {
    expect(progressOf({ spec: { max_time: '10m' }, started_at: began }, now)!.share).toBe(1);
  });

  it('is not made up', () => {
    expect(progressOf({ spec: {}, started_at: began }, now)).toBeNull();
    expect(progressOf({ spec: { max_time: '1h' }, started_at: null }, now)).toBeNull();
  });
});
