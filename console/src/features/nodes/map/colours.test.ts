import { describe, expect, it } from 'vitest';
import { nodeTask } from '@/testing/samples';
import { giveHues, HUES, signOf, timeStep } from './colours';

describe('colours of people', () => {
  it('differ as long as there are enough', () => {
    const hues = giveHues(new Map(), ['wang', 'sara', 'lin', 'chen'], 'lin');
    expect(hues.get('lin')).toBe('mine');
    expect(new Set(hues.values()).size).toBe(4);
  });

  it('stay when others come', () => {
    const before = giveHues(new Map(), ['wang'], 'lin');
    expect(giveHues(before, ['ada', 'wang'], 'lin').get('wang')).toBe(before.get('wang'));
  });

  it('repeat evenly when there are more people', () => {
    const people = Array.from({ length: HUES.length * 2 }, (_, at) => `p${at}`);
    const given = [...giveHues(new Map(), people, 'lin').values()].filter((hue) => hue !== 'mine');
    expect(HUES.map((hue) => given.filter((other) => other === hue).length)).toEqual(HUES.map(() => 2));
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
