import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { queueKeys } from '@/api/queue';
import * as api from '@/api/queue';
import { queryClient } from '@/app/queries';
import { place } from '@/testing/samples';
import { useQueue } from './useQueue';

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;

it('the queue is loaded further after a refresh that came first', async () => {
  queryClient.clear();
  let answer: (() => void) | undefined;
  let slow = false;
  vi.spyOn(api, 'getQueue').mockImplementation(({ cursor, limit }) => {
    const from = Number(cursor ?? 0);
    const items = Array.from({ length: Math.min(limit ?? 0, 500 - from) }, (_, at) =>
      place({ position: from + at + 1, job_id: `j${from + at}` }),
    );
    const page = {
      items,
      next_cursor: from + items.length < 500 ? String(from + items.length) : null,
      lanes: [],
      classes: [],
      decided_at: null,
    };
    return slow
      ? new Promise((resolve) => {
          answer = () => resolve(page);
        })
      : Promise.resolve(page);
  });
  const { result, unmount } = renderHook(() => useQueue({}), { wrapper });
  await waitFor(() => expect(result.current.waiting?.items).toHaveLength(200));
  slow = true;
  act(() => void queryClient.invalidateQueries({ queryKey: queueKeys.all }));
  await waitFor(() => expect(answer).toBeTruthy());
  act(() => result.current.showUpTo(199));
  expect(result.current.waiting?.items).toHaveLength(200);
  slow = false;
  act(() => answer!());
  await waitFor(() => expect(result.current.waiting?.items).toHaveLength(500));
  unmount();
});
