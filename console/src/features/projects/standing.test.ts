import { describe, expect, it } from 'vitest';
import type { ShareAmount } from '@/api/rules/projects';
import { marksOf, scaleOf, sizeOf, toShow } from './standing';

const none: ShareAmount = { resource: 'gpus', held: 0, queued: 0, guarantee: null, cap: null, deserved: null, level: null };

describe('the bars of a project', () => {
  it('are drawn where there is something to say', () => {
    expect(toShow([none, { ...none, deserved: 0 }, { ...none, held: 1 }, { ...none, cap: 0 }]).map(({ held, cap }) => [held, cap])).toEqual(
      [
        [1, null],
        [0, 0],
      ],
    );
  });

  it('hold all that is marked', () => {
    expect(scaleOf({ ...none, held: 4, queued: 8, cap: 24 })).toBe(24);
    expect(scaleOf({ ...none, held: 20, queued: 8, cap: 24 })).toBe(28);
    expect(marksOf({ ...none, deserved: 2, cap: 3 })).toEqual([
      ['deserved', 2],
      ['cap', 3],
    ]);
    expect([sizeOf(6, 24), sizeOf(0, 0), sizeOf(30, 24)]).toEqual(['25%', '0%', '100%']);
  });
});
