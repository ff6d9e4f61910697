import { describe, expect, it } from 'vitest';
import { nextOf, placeIn } from './useFinder';

describe('going from one found line to the next', () => {
  const found = [3, 7, 20];

  it.each([
    [undefined, 1, 20],
    [undefined, -1, 20],
    [7, 1, 20],
    [7, -1, 3],
    [5, 1, 7],
    [5, -1, 3],
    [20, 1, null],
    [3, -1, null],
  ] as const)('from %s by %i leads to %s', (current, by, next) => {
    expect(nextOf(found, current, by)).toBe(next);
  });

  it('leads nowhere where nothing was found', () => {
    expect(nextOf([], 5, 1)).toBeNull();
  });

  it('knows the place of a line among them', () => {
    expect([3, 20, 4, undefined].map((current) => placeIn(found, current))).toEqual([0, 2, -1, -1]);
  });
});
