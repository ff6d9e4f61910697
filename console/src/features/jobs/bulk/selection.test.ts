import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { row } from '@/testing/samples';
import { toggled, useSelection } from './selection';

const rows = (names: string) => [...names].map((id) => row({ id, name: id }));

describe('choosing rows', () => {
  it('adds one and takes it away again', () => {
    expect([...toggled(new Set(['a']), 'b', false, 'a', ['a', 'b', 'c'])]).toEqual(['a', 'b']);
    expect([...toggled(new Set(['a']), 'a', false, null, ['a'])]).toEqual([]);
  });

  it('takes all in between, in either direction', () => {
    expect([...toggled(new Set(['d']), 'b', true, 'd', [...'abcde'])].sort()).toEqual(['b', 'c', 'd']);
    expect([...toggled(new Set(['b']), 'd', true, 'b', [...'abcde'])].sort()).toEqual(['b', 'c', 'd']);
  });

  it('is a plain choice where the other end is gone', () => {
    expect([...toggled(new Set(), 'b', true, 'x', [...'abc'])]).toEqual(['b']);
  });
});

describe('what is chosen', () => {
  it('outlives updates, shows the latest state, and remembers what left the list', () => {
    const { result, rerender } = renderHook(({ list }) => useSelection(list, 'all'), { initialProps: { list: rows('abc') } });
    act(() => result.current.toggle('a', false));
    act(() => result.current.toggle('b', false));
    rerender({ list: [row({ id: 'new' }), row({ id: 'b', state: 'failed' }), ...rows('c')] });
    expect(result.current.jobs.map(({ id, state }) => [id, state])).toEqual([
      ['b', 'failed'],
      ['a', 'running'],
    ]);
    expect(result.current.gone).toBe(1);
  });

  it('ends with another filter', () => {
    const { result, rerender } = renderHook(({ scope }) => useSelection(rows('abc'), scope), { initialProps: { scope: 'one' } });
    act(() => result.current.toggleAll());
    expect(result.current.ids.size).toBe(3);
    rerender({ scope: 'other' });
    expect(result.current.ids.size).toBe(0);
    rerender({ scope: 'one' });
    expect(result.current.ids.size).toBe(0);
  });

  it('keeps the identity of what rows hold on to', () => {
    const { result, rerender } = renderHook(({ list }) => useSelection(list, 'all'), { initialProps: { list: rows('ab') } });
    const { toggle, toggleAll } = result.current;
    act(() => toggle('a', false));
    rerender({ list: rows('abc') });
    expect(result.current.toggle).toBe(toggle);
    expect(result.current.toggleAll).toBe(toggleAll);
  });
});
