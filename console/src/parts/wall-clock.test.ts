import { describe, expect, it } from 'vitest';
import { fromWall, toWall } from './wall-clock';

describe('the wall clock', () => {
  it.each([
    ['2026-05-01T10:00', 'Asia/Shanghai', '2026-05-01T02:00:00.000Z'],
    ['2026-05-01T10:00', 'America/New_York', '2026-05-01T14:00:00.000Z'],
    ['2026-12-01T10:00', 'America/New_York', '2026-12-01T15:00:00.000Z'],
    ['2026-03-08T08:00', 'America/New_York', '2026-03-08T12:00:00.000Z'],
  ])('shows %s in %s at %s', (wall, zone, moment) => {
    expect(fromWall(wall, zone)).toBe(moment);
    expect(toWall(moment, zone)).toBe(wall);
  });

  it('knows what is no date', () => {
    expect(fromWall('')).toBe('');
  });
});
