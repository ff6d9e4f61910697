import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as api from '@/api/me';
import type { Preferences } from '@/api/me';
import { preferences } from '@/testing/samples';
import { looksAgain, useChangePreferences, usePreferences } from './preferences';

const view = (name: string) => ({ page: 'jobs', name, query: '' });
const leave = () => dispatchEvent(new Event('pagehide'));
let kept: Preferences;

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => ({ known: usePreferences(), change: useChangePreferences() }), { wrapper }).result;
}

describe('preferences', () => {
  beforeEach(() => {
    localStorage.clear();
    kept = { ...preferences, views: [view('one')] };
    vi.spyOn(api, 'getPreferences').mockImplementation(async () => kept);
    vi.spyOn(api, 'changePreferences').mockImplementation(async (change) => {
      kept = { ...kept, ...change };
      return kept;
    });
  });

  it('are not known before the server told them', async () => {
    const result = open();
    expect(result.current.known).toBeNull();
    await waitFor(() => expect(result.current.known?.views).toEqual([view('one')]));
  });

  it('are added to what is kept now, not to what was known', async () => {
    const result = open();
    await waitFor(() => expect(result.current.known).not.toBeNull());
    kept = { ...kept, views: [view('one'), view('of another tab')] };
    act(() => result.current.change(({ views }) => ({ views: [...views, view('two')] })));
    await waitFor(() => expect(kept.views).toEqual([view('one'), view('of another tab'), view('two')]));
    await waitFor(() => expect(result.current.known?.views).toHaveLength(3));
  });

  it('do not flip back while a second change is on its way', async () => {
    const result = open();
    await waitFor(() => expect(result.current.known).not.toBeNull());
    const answers: (() => void)[] = [];
    vi.mocked(api.changePreferences).mockImplementation(
      (change) =>
        new Promise((resolve) => {
          answers.push(() => {
            kept = { ...kept, ...change };
            resolve(kept);
          });
        }),
    );
    act(() => result.current.change({ theme: 'dark' }));
    act(() => result.current.change({ theme: 'light' }));
    await waitFor(() => expect(result.current.known?.theme).toBe('light'));
    await waitFor(() => expect(answers).toHaveLength(1));
    await act(async () => answers[0]!());
    expect(result.current.known?.theme).toBe('light');
    await waitFor(() => expect(answers).toHaveLength(2));
    await act(async () => answers[1]!());
    expect(result.current.known?.theme).toBe('light');
  });

  it('are as before when the server refuses', async () => {
    const result = open();
    await waitFor(() => expect(result.current.known).not.toBeNull());
    vi.mocked(api.changePreferences).mockRejectedValue(new Error('no'));
    act(() => result.current.change({ theme: 'dark' }));
    await waitFor(() => expect(api.changePreferences).toHaveBeenCalled());
    await waitFor(() => expect(result.current.known?.theme).toBe(preferences.theme));
  });

  describe('of whoever leaves the page', () => {
    it('are sent in that moment, as they were shown', async () => {
      const result = open();
      await waitFor(() => expect(result.current.known).not.toBeNull());
      result.current.change(({ views }) => ({ views: [...views, view('two')] }));
      leave();
      expect(api.changePreferences).toHaveBeenCalledExactlyOnceWith({ views: [view('one'), view('two')] });
    });

    it('are looked for again by the page that comes next, once', async () => {
      const result = open();
      await waitFor(() => expect(result.current.known).not.toBeNull());
      leave();
      expect(looksAgain()).toEqual([]);
      const answers: (() => void)[] = [];
      vi.mocked(api.changePreferences).mockImplementation(() => new Promise((resolve) => answers.push(() => resolve(kept))));
      act(() => result.current.change({ theme: 'dark' }));
      await waitFor(() => expect(api.changePreferences).toHaveBeenCalledOnce());
      leave();
      expect(looksAgain()).toEqual([1_000, 3_000, 9_000]);
      expect(looksAgain()).toEqual([]);
      await act(async () => answers[0]!());
      leave();
      expect(looksAgain()).toEqual([]);
    });

    it('are sent together while another is on its way, and only once though one comes back', async () => {
      const result = open();
      await waitFor(() => expect(result.current.known).not.toBeNull());
      const answers: (() => void)[] = [];
      vi.mocked(api.changePreferences).mockImplementation(
        (change) =>
          new Promise((resolve) => {
            answers.push(() => {
              kept = { ...kept, ...change };
              resolve(kept);
            });
          }),
      );
      act(() => result.current.change({ theme: 'dark' }));
      await waitFor(() => expect(answers).toHaveLength(1));
      act(() => result.current.change(({ views }) => ({ views: views.map(() => view('renamed')) })));
      act(() => result.current.change(({ views }) => ({ views: [...views, view('two')] })));
      await waitFor(() => expect(result.current.known?.views).toHaveLength(2));
      leave();
      expect(api.changePreferences).toHaveBeenLastCalledWith({ views: [view('renamed'), view('two')] });
      await act(async () => answers.forEach((answer) => answer()));
      await waitFor(() => expect(result.current.known).toEqual(kept));
      expect(kept).toMatchObject({ theme: 'dark', views: [view('renamed'), view('two')] });
      leave();
      expect(answers).toHaveLength(2);
    });
  });
});
