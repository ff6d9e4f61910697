import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useHeldBack } from './useHeldBack';

function held(value: string, holding: boolean, known?: boolean) {
  return renderHook((now: [string, boolean, boolean?]) => useHeldBack(...now), { initialProps: [value, holding, known] });
}

it('shows the latest unless something is held', () => {
  const { result, rerender } = held('one', false);
  rerender(['two', false]);
  expect(result.current).toBe('two');
  rerender(['three', true]);
  expect(result.current).toBe('two');
  rerender(['three', false]);
  expect(result.current).toBe('three');
});

it('shows what becomes known while something is held, once', () => {
  const { result, rerender } = held('', true, false);
  rerender(['one', true, true]);
  expect(result.current).toBe('one');
  rerender(['two', true, true]);
  expect(result.current).toBe('one');
});
