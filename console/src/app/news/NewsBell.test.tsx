import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { preferences, reason, row, session } from '@/testing/samples';
import * as messages from '../notify';
import { queryClient } from '../queries';

const signedIn = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [] },
  'GET me/preferences': preferences,
};
const page = (items: unknown[]) => ({ items, total: items.length, next_cursor: null });

describe('news of my jobs', () => {
  const failed = row({ id: 'j1', name: 'bert', state: 'failed', reason, ended_at: '2026-05-01T11:00:00Z' });
  const done = row({ id: 'j2', name: 'resnet', state: 'completed', ended_at: '2026-05-01T10:30:00Z' });

  it('count what ended since one looked, say why, and are read by being opened', async () => {
    const { calls, address } = openConsole('/profile', {
      ...signedIn,
      'GET me/preferences': { ...preferences, news_seen: '2026-05-01T10:30:00Z' },
      'PATCH me/preferences': { ...preferences, news_seen: failed.ended_at },
      'GET jobs': page([failed, done]),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'News of my jobs, 1 unread' }));
    const link = await screen.findByRole('link', { name: /bert/ });
    expect(link.textContent).toContain('worker-0 ended with exit code 1');
    expect(link.textContent).toContain('new');
    expect(screen.getByRole('link', { name: /resnet/ }).textContent).not.toContain('new');
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ news_seen: failed.ended_at }));
    expect(await screen.findByRole('button', { name: 'News of my jobs' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(link);
    await waitFor(() => expect(address()).toBe('/jobs/j1'));
  });

  it('say what to expect when there are none', async () => {
    openConsole('/profile', { ...signedIn, 'GET jobs': page([]) });
    fireEvent.click(await screen.findByRole('button', { name: 'News of my jobs' }));
    expect(await screen.findByText('No news')).toBeTruthy();
  });

  it('come as a message when a job ends while the console is open', async () => {
    const notify = vi.spyOn(messages, 'notify').mockReturnValue();
    let news = [done];
    openConsole('/profile', { ...signedIn, 'GET jobs': () => page(news) });
    await screen.findByRole('button', { name: 'News of my jobs, 1 unread' });
    expect(notify).not.toHaveBeenCalled();
    news = [failed, done];
    await act(() => queryClient.invalidateQueries({ queryKey: ['jobs'] }));
    await waitFor(() => expect(notify).toHaveBeenCalledOnce());
    expect(notify.mock.calls[0]![0]).toMatchObject({ title: 'bert failed', message: 'worker-0 ended with exit code 1', bad: true });
  });
});
