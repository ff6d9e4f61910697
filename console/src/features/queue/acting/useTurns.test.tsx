import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import * as api from '@/api/queue';
import { queryClient } from '@/app/queries';
import { place } from '@/testing/samples';
import { useTurns } from './useTurns';

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
const job = (name: string, position: number, pinned = false) =>
  place({ position, name, job_id: name, pinned_at: pinned ? '2026-05-01T10:05:00Z' : null });

it('a pin right after a move shows the true order', async () => {
  vi.spyOn(api, 'orderJob').mockResolvedValue({ items: [] });
  const before = [job('a', 1), job('b', 2), job('c', 3)];
  const { result, rerender } = renderHook(({ mine }) => useTurns(mine), { wrapper, initialProps: { mine: before } });
  await act(async () => result.current.move(['a', 'b', 'c'], 'a', 2));
  expect(result.current.asWanted(before).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  // Somebody pins `a` before the page has seen the server agree with the move.
  const pinned = [job('a', 1, true), job('b', 2), job('c', 3)];
  rerender({ mine: pinned });
  expect(result.current.asWanted(pinned).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(result.current.lines.get('b')).toEqual(['b', 'c']);
});
