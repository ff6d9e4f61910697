import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LogListener } from '@/app/live';
import { live } from '@/app/queries';
import { accessibilityProblems, openConsole } from '@/testing/app';
import type { Call } from '@/testing/app';
import { detail, preferences, session } from '@/testing/samples';

const line = (offset: number, text: string) => ({ offset, time: '2026-05-01T10:01:00Z', stream: 'o', text });
const log = { lines: [line(0, 'epoch 1'), line(40, 'ValueError: bad sample'), line(80, 'epoch 2')], next_offset: 120, end: true };

function open(address: string, job = detail(), more: Record<string, unknown> = {}) {
  return openConsole(address, { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/logs': log, ...more });
}

/** Who follows logs; what they are told is up to the test. */
function watched() {
  const followed: LogListener[] = [];
  vi.spyOn(live, 'follow').mockImplementation((_, listener) => {
    followed.push(listener);
    return () => undefined;
  });
  return { followed };
}

afterEach(() => vi.restoreAllMocks());

describe('the log of a job', () => {
  it('is that of the task in the address', async () => {
    const { calls } = open('/jobs/j1?task=worker-1');
    await screen.findByText('epoch 1');
    expect(calls.find((call) => call.path === 'jobs/j1/logs')!.query.get('task')).toBe('worker-1');
  });

  it.each([
    { kept: [], told: ['first-steps.log'] },
    { kept: ['first-steps.guide'], told: ['first-steps.guide', 'first-steps.log'] },
    { kept: ['first-steps.log'], told: undefined },
    { kept: ['first-steps'], told: undefined },
  ])('is a first step, taken by whoever sees it: $kept', async ({ kept, told }) => {
    const { calls } = open('/jobs/j1', detail(), {
      'GET me/preferences': { ...preferences, dismissed: kept },
      'PATCH me/preferences': { ...preferences, dismissed: told ?? kept },
    });
    await screen.findByText('epoch 1');
    const changes = () => calls.filter((call) => call.method === 'PATCH').map(({ body }) => body);
    await waitFor(() => expect(changes()).toEqual(told ? [{ dismissed: told }] : []));
  });

  it('goes from error to error and puts the line into the address', async () => {
    const { address } = open('/jobs/j1');
    await screen.findByText('ValueError: bad sample');
    fireEvent.click(screen.getByRole('button', { name: 'Next error' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?task=worker-0&line=40'));
    expect(screen.getByText('ValueError: bad sample').closest('[data-line]')!.hasAttribute('data-current')).toBe(true);
    expect(screen.getByRole('button', { name: 'Copy a link to the line' })).toBeTruthy();
  });

  it('opens at the line in the address', async () => {
    open('/jobs/j1?line=80');
    const shown = await screen.findByText('epoch 2');
    await waitFor(() => expect(shown.closest('[data-line]')!.hasAttribute('data-current')).toBe(true));
  });

  it('counts what is searched for, and steps through it', async () => {
    const { address } = open('/jobs/j1?find=epoch');
    expect(await screen.findByText('0 of 2')).toBeTruthy();
    fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Search the log' }), { key: 'Enter' });
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Previous match' }));
    expect(await screen.findByText('1 of 2')).toBeTruthy();
    expect(address()).toContain('line=0');
  });

  it('is not searched at each key, and Enter need not wait', async () => {
    const { address } = open('/jobs/j1');
    await screen.findByText('epoch 1');
    const box = screen.getByRole('searchbox', { name: 'Search the log' });
    for (const typed of ['e', 'ep', 'epo']) fireEvent.change(box, { target: { value: typed } });
    expect(screen.queryByText('0 of 2')).toBeNull();
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(await screen.findByText('2 of 2')).toBeTruthy();
    await waitFor(() => expect(address()).toContain('find=epo'));
  });

  it('shows only what matches, live lines too, and asks the server once', async () => {
    const long = { ...log, lines: [line(5_000_000, 'epoch 8'), line(5_000_040, 'other')], next_offset: 5_000_080, end: false };
    const { followed } = watched();
    const { calls } = open('/jobs/j1?find=epoch', detail(), {
      'GET jobs/j1/logs': ({ query }: Call) =>
        query.has('search') ? { lines: [line(0, 'epoch 1'), line(5_000_000, 'epoch 8')], next_offset: 5_000_080, end: false } : long,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Only matching lines, from the whole log' }));
    await waitFor(() => expect(document.querySelectorAll('[data-line]')).toHaveLength(2));
    for (let batch = 0; batch < 5; batch += 1)
      act(() =>
        followed.at(-1)!.lines(
          [
            [0, 'o', `epoch ${batch + 9}`],
            [0, 'o', 'noise'],
          ],
          5_000_100 + batch,
        ),
      );
    await waitFor(() => expect(document.querySelectorAll('[data-line]')).toHaveLength(7));
    expect(calls.filter(({ query }) => query.has('search'))).toHaveLength(1);
  });

  it('counts what is searched for as it comes; only what the person does is said aloud', async () => {
    const { followed } = watched();
    open('/jobs/j1?find=epoch', detail(), { 'GET jobs/j1/logs': { ...log, end: false } });
    await waitFor(() => expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('0 of 2'), { timeout: 3000 });
    act(() => followed.at(-1)!.lines([[0, 'o', 'epoch 99']], 5_000_200));
    await screen.findByText('0 of 3');
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).not.toContain('0 of 3');
  });

  it('too long to be loaded whole says how much of it is there, and where errors were looked for', async () => {
    open('/jobs/j1', detail(), { 'GET jobs/j1/logs': { lines: [line(9_000_000, 'epoch 8')], next_offset: 9_000_040, end: true } });
    expect(await screen.findByText('the last line')).toBeTruthy();
    expect(screen.getByText(/0 in the lines loaded/)).toBeTruthy();
  });

  it('that is refused says so and offers to try again', async () => {
    const { followed } = watched();
    open('/jobs/j1', detail(), { 'GET jobs/j1/logs': { ...log, end: false } });
    await screen.findByText('epoch 1');
    act(() => followed.at(-1)!.refused!('you may no longer read this log'));
    expect(await screen.findByText('No longer following: you may no longer read this log')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText(/No longer followed/)).toBeNull());
  });

  it('stands beside those of other tasks', async () => {
    const { address } = open('/jobs/j1');
    await screen.findByText('epoch 1');
    fireEvent.click(screen.getByRole('button', { name: 'Show another task next to it' }));
    expect(await screen.findByRole('region', { name: 'Log of worker-1' })).toBeTruthy();
    expect(address()).toBe('/jobs/j1?task=worker-0&beside=worker-1');
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Close the log of worker-0' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?task=worker-1'));
  });
});
