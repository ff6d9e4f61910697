import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { QueueItem } from '@/api/queue';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { detail, session } from '@/testing/samples';
import { QUEUE, answers } from './testing';

const notes = vi.hoisted(() => [] as { message: string; title?: string }[]);
vi.mock('@/app/notify', () => ({ notify: (note: { message: string }) => void notes.push(note) }));
/** One of the short messages in the corner. */
const told = (message: string) => waitFor(() => expect(notes.map((note) => note.message)).toContain(message));

const ADMINISTRATOR = { ...session, user: { ...session.user, name: 'root', role: 'administrator' as const } };
const forAdministrators = (items: QueueItem[], more: Answers = {}) =>
  answers(items, {
    'GET session': ADMINISTRATOR,
    'GET permissions': { items: ['queue:read', 'queue:order', 'queue:pin', 'job:stop'] },
    ...more,
  });
/** As an administrator sees it: every job by its name, none one's own. */
const readable = QUEUE.map((item) => ({
  ...item,
  mine: false,
  owner: item.owner,
  job_id: `k${item.lane.gpu_model}${item.position}`,
  name: item.name ?? `theirs-${item.position}`,
}));

afterEach(() => void notes.splice(0));

describe('administrators', () => {
  it('are the only ones who are offered pins and a choice of many', async () => {
    openConsole('/queue', answers(QUEUE));
    await screen.findByRole('button', { name: 'Move alpha' });
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    expect(await screen.findByRole('menuitem', { name: 'Close' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Pin' })).toBeNull();
  });

  it('pin a job, see since when it is pinned, and may let it go', async () => {
    const pinned = readable.map((item, at) => (at === 0 ? { ...item, pinned_at: new Date(Date.now() - 630_000).toISOString() } : item));
    const { calls } = openConsole(
      '/queue',
      forAdministrators(pinned, { 'PUT jobs/kA1002/pin': detail(), 'DELETE jobs/kA1001/pin': detail() }),
    );
    const first = (await screen.findByRole('link', { name: 'theirs-1' })).closest('tr')!;
    expect(within(first).getByText('Pinned')).toBeTruthy();
    expect(within(first).getByText(/10m ago/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Actions for theirs-1' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Unpin' }));
    await waitFor(() => expect(calls.some((call) => call.method === 'DELETE' && call.path === 'jobs/kA1001/pin')).toBe(true));
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Pin' }));
    await told('alpha is now first in its lanes.');
  });

  it('pin several at once so that they keep their order: the latest pin goes first', async () => {
    const { calls } = openConsole(
      '/queue',
      forAdministrators(readable, { 'PUT jobs/kA1002/pin': detail(), 'PUT jobs/kA1004/pin': detail() }),
    );
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select alpha' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select beta' }));
    const bar = screen.getByRole('region', { name: 'Selected jobs' });
    expect(within(bar).getByText('2 jobs selected')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(bar).getByRole('button', { name: 'Pin' }));
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual(['jobs/kA1004/pin', 'jobs/kA1002/pin']),
    );
  });

  it('close a job only after they were told whose it is', async () => {
    const { calls } = openConsole('/queue', forAdministrators(readable, { 'POST jobs/kA1001/stop': detail() }));
    await screen.findByRole('checkbox', { name: 'Select alpha' });
    fireEvent.click(screen.getByRole('button', { name: 'Actions for theirs-1' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Close' }));
    const dialog = await screen.findByRole('dialog', { name: 'Close theirs-1 of wang?' });
    expect(calls.some(({ path }) => path.endsWith('/stop'))).toBe(false);
    fireEvent.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!);
    await told('theirs-1 left the queue.');
  });

  it('are told of those that were refused', async () => {
    const refusal = new Refusal(409, { type: 'wrong_state', title: 'Wrong state', detail: 'beta is completed' });
    openConsole('/queue', forAdministrators(readable, { 'PUT jobs/kA1002/pin': detail(), 'PUT jobs/kA1004/pin': refusal }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select alpha' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select beta' }));
    fireEvent.click(within(screen.getByRole('region', { name: 'Selected jobs' })).getByRole('button', { name: 'Pin' }));
    await waitFor(() => expect(notes.map((note) => note.message)).toEqual(['alpha is now first in its lanes.', 'beta is completed']));
  });
});
