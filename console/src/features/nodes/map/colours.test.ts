import { describe, expect, it } from 'vitest';
import { nodeTask } from '@/testing/samples';
import { personSeries } from '@/ui/theme/palette';
import { fillOf, signOf, timeStep } from './colours';

describe('colours of people', () => {
  it('are those of the palette, the same on every page', () => {
    expect(fillOf('lin')).toBe(`series-${personSeries('lin')}`);
  });

  it('come with two letters of the name', () => {
    expect([signOf('wang'), signOf('林梅'), signOf('')]).toEqual(['Wa', '林梅', '?']);
  });
});

it('the time held has four steps, and the longest counts', () => {
  const now = Date.parse('2026-05-02T10:00:00Z');
  const since = (started: string | null) => timeStep([nodeTask({ started_at: started })], now);
  expect(since('2026-05-02T09:30:00Z')).toBe(1);
  expect(since('2026-05-02T08:00:00Z')).toBe(2);
  expect(since('2026-05-01T12:00:00Z')).toBe(3);
  expect(since('2026-04-30T12:00:00Z')).toBe(4);
  expect(since(null)).toBe(1);
  expect(timeStep([nodeTask({ started_at: '2026-05-02T09:30:00Z' }), nodeTask({ started_at: '2026-04-01T00:00:00Z' })], now)).toBe(4);
});
