import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queueKeys } from '@/api/queue';
import { queryClient } from '@/app/queries';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Call } from '@/testing/app';
import { detail, place } from '@/testing/samples';
import { EVERYBODYS, HELD, WAITS, QUEUE, answers } from './testing';

const notes = vi.hoisted(() => [] as { message: string; title?: string }[]);
vi.mock('@/app/notify', () => ({ notify: (note: { message: string }) => void notes.push(note) }));
/** One of the short messages in the corner. */
const told = (message: string) => waitFor(() => expect(notes.map((note) => note.message)).toContain(message));

const rows = () =>
  screen
    .getAllByRole('row')
    .filter((row) => row.querySelector('td:not([aria-hidden])'))
    .map((row) => row.textContent);
const order = () => screen.getAllByRole('link', { name: /^(alpha|beta|gamma|delta)$/ }).map((link) => link.textContent);
const orders = (calls: Call[]) => calls.filter((call) => call.path.endsWith('/order')).map(({ path, body }) => [path, body]);

afterEach(() => void notes.splice(0));

describe('the queue', () => {
  it('shows everybody in the order of service, lane by lane, and of others only what one may know', async () => {
    openConsole('/queue', answers(QUEUE));
    await screen.findByRole('link', { name: 'alpha' });
    expect(rows().map((row) => row?.match(/private job|alpha|beta|gamma|delta/)?.[0])).toEqual([
      'private job',
      'alpha',
      'private job',
      'beta',
      'gamma',
      'delta',
    ]);
    expect(screen.getByText('A100 · single-node')).toBeTruthy();
    expect(screen.getByText('5 waiting, 2h of work (16 GPU-hours)')).toBeTruthy();
    expect(screen.getByText('6 waiting, 2h 1m of work (16.5 GPU-hours)')).toBeTruthy();
    expect(screen.getByRole('tab', { name: /Single-node queue 5/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /Why alpha is waiting: needs 8 × A100; 4 are free/ })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says who holds the GPUs and until when, and folds for those who do not care', async () => {
    openConsole('/queue', answers(QUEUE));
    const held = await screen.findByRole('region', { name: 'A100' });
    expect(within(held).getByText('12 of 16 held, 4 free')).toBeTruthy();
    const [theirs, mine] = within(held).getAllByRole('listitem');
    expect(theirs!.textContent).toMatch(/^RunningwangTraining8 GPUsfor .*10d at most$/);
    expect(within(mine!).getByRole('link', { name: 'omega' })).toBeTruthy();
    expect(mine!.textContent).toMatch(/no end set$/);
    fireEvent.click(screen.getByRole('heading', { name: 'Running' }));
    await waitFor(() => expect(localStorage.getItem('danlu.queue.holders')).toBe('folded'));
    localStorage.removeItem('danlu.queue.holders');
  });

  it('lists everybody’s jobs in all states under all jobs, page by page, and in a queue only who waits and who is in the way', async () => {
    const { calls, address } = openConsole('/queue', answers(QUEUE, { 'GET queue/jobs': EVERYBODYS }));
    const all = await screen.findByRole('region', { name: 'All jobs, in every state' });
    const [line] = await within(all).findAllByRole('listitem');
    expect(line!.textContent).toMatch(/^CompletedwangWorkspace4 CPU · 1 GiB/);
    expect(within(line!).queryByRole('link')).toBeNull();
    fireEvent.click(within(all).getByRole('button', { name: 'Show more (1 of 2)' }));
    expect(await within(all).findByRole('link', { name: 'counting#2' })).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Running',
      'Waiting',
      'All jobs, in every state',
    ]);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(all).getByRole('button', { name: 'Stopped' }));
    expect(await within(all).findByText('No jobs match.')).toBeTruthy();
    expect(address()).toBe('/queue?state=stopped');
    expect(calls.some(({ path, query }) => path === 'queue/jobs' && query.get('state') === 'stopped')).toBe(true);
    fireEvent.click(screen.getByRole('tab', { name: /Single-node queue/ }));
    expect(await screen.findByRole('heading', { name: 'Who holds the GPUs' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'All jobs, in every state' })).toBeNull();
  });

  it('puts tab and filters into the address and asks the server for them', async () => {
    const { calls, address } = openConsole('/queue?project=nlp', answers(QUEUE));
    await screen.findByRole('link', { name: 'alpha' });
    fireEvent.click(screen.getByRole('tab', { name: /Distributed queue/ }));
    await waitFor(() => expect(address()).toBe('/queue?project=nlp&class=distributed'));
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Owner' }), { target: { value: 'me' } });
    await waitFor(() => expect(address()).toBe('/queue?class=distributed&owner=me'));
    await waitFor(() => expect(calls.some(({ query }) => query.get('class') === 'distributed' && query.get('owner') === 'me')).toBe(true));
  });

  it('tells nobody waiting from none that match', async () => {
    openConsole('/queue?owner=me', answers([]));
    expect(await screen.findByText('No jobs match')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
    expect(await screen.findByRole('heading', { name: 'No jobs are waiting' })).toBeTruthy();
  });

  it('answers why in full, at an address of its own', async () => {
    const why = {
      reason: WAITS,
      places: [{ lane: QUEUE[1]!.lane, position: 2, waiting: 5 }],
      ahead: [QUEUE[0]],
      ahead_total: 3,
      helps: [
        {
          change: 'gpus',
          value: '4',
          text: { en: 'with 4 GPUs per task it would start now', zh: '四张' },
          command: 'danlu edit alpha --gpus 4',
        },
      ],
      holders: HELD.items,
      models: HELD.models,
    };
    const { address } = openConsole(
      '/queue',
      answers(QUEUE, { 'GET jobs/j2/why': why, 'GET jobs/j2': detail({ id: 'j2', name: 'alpha' }) }),
    );
    fireEvent.click(await screen.findByRole('button', { name: /Why alpha is waiting/ }));
    const panel = await screen.findByRole('dialog', { name: 'Why alpha is waiting' });
    expect(await within(panel).findByRole('link', { name: 'Clone: Use 4 GPUs' })).toBeTruthy();
    expect(within(panel).getByText('The program reported an error.')).toBeTruthy();
    expect(within(panel).getByText('Place').nextElementSibling?.textContent).toBe('2 of 5A100 · single-node');
    expect(within(panel).getByText('and 2 more')).toBeTruthy();
    expect(address()).toBe('/queue?why=j2');
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(panel).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toBe('/queue'));
  });
});

describe('moving one’s own jobs', () => {
  it('offers no handle to jobs of others nor to one that stands alone', async () => {
    openConsole('/queue', answers(QUEUE));
    expect(await screen.findByRole('button', { name: 'Move alpha' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Move / })).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: 'Actions for delta' }));
    expect(await screen.findByText(/It can only change places with/)).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Move up' })).toBeNull();
  });

  it('carries a job by keys, shows where it lands, and tells the server when it is put down', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j5/order': { items: [] } }));
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    grip.focus();
    fireEvent.keyDown(grip, { key: ' ' });
    expect(screen.getByText('Picked up gamma, number 3 of your 3 here.')).toBeTruthy();
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    expect(screen.getByText('gamma would be number 1 of your 3, at position 2.')).toBeTruthy();
    expect(order()).toEqual(['gamma', 'alpha', 'beta', 'delta']);
    expect(orders(calls)).toEqual([]);
    fireEvent.keyDown(grip, { key: ' ' });
    expect(order()).toEqual(['gamma', 'alpha', 'beta', 'delta']);
    await waitFor(() => expect(orders(calls)).toEqual([['jobs/j5/order', { before: 'j2' }]]));
    // Others did not give way.
    expect(rows()[0]).toContain('wang');
    expect(rows()[2]).toContain('chen');
  });

  it('puts a job back that is let go with Escape', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE));
    const grip = await screen.findByRole('button', { name: 'Move alpha' });
    fireEvent.keyDown(grip, { key: 'Enter' });
    fireEvent.keyDown(grip, { key: 'End' });
    expect(order()).toEqual(['beta', 'gamma', 'alpha', 'delta']);
    fireEvent.keyDown(grip, { key: 'Escape' });
    expect(order()).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    expect(screen.getByText('alpha stays where it was.')).toBeTruthy();
    expect(orders(calls)).toEqual([]);
  });

  it('moves the focused row with Alt and an arrow, one call after the other', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j2/order': { items: [] } }));
    const link = await screen.findByRole('link', { name: 'alpha' });
    await screen.findByRole('button', { name: 'Move alpha' });
    link.focus();
    fireEvent.keyDown(link, { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(screen.getByRole('link', { name: 'alpha' }), { key: 'ArrowDown', altKey: true });
    expect(order()).toEqual(['beta', 'gamma', 'alpha', 'delta']);
    expect(document.activeElement?.textContent).toBe('alpha');
    await waitFor(() =>
      expect(orders(calls)).toEqual([
        ['jobs/j2/order', { after: 'j4' }],
        ['jobs/j2/order', { after: 'j5' }],
      ]),
    );
  });

  it('tells the server of every move though one leaves the page at once', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j2/order': () => new Promise(() => undefined) }));
    const link = await screen.findByRole('link', { name: 'alpha' });
    await screen.findByRole('button', { name: 'Move alpha' });
    link.focus();
    fireEvent.keyDown(link, { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(screen.getByRole('link', { name: 'alpha' }), { key: 'ArrowDown', altKey: true });
    await waitFor(() => expect(orders(calls)).toEqual([['jobs/j2/order', { after: 'j4' }]]));
    dispatchEvent(new Event('pagehide'));
    await waitFor(() =>
      expect(orders(calls)).toEqual([
        ['jobs/j2/order', { after: 'j4' }],
        ['jobs/j2/order', { after: 'j5' }],
      ]),
    );
  });

  it('moves to a typed place, within bounds', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j2/order': { items: [] } }));
    await screen.findByRole('button', { name: 'Move alpha' });
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'To place…' }));
    const field = await screen.findByLabelText('Place among my jobs');
    fireEvent.change(field, { target: { value: '7' } });
    fireEvent.click(screen.getByRole('button', { name: 'Move' }));
    expect(screen.getByText('A whole number from 1 to 3')).toBeTruthy();
    fireEvent.change(field, { target: { value: '3' } });
    fireEvent.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(orders(calls)).toEqual([['jobs/j2/order', { after: 'j5' }]]));
  });

  it('takes a refused move back, in the server’s words', async () => {
    const refusal = new Refusal(409, { type: 'conflict', title: 'Conflict', detail: 'beta is running; only queued jobs have an order' });
    openConsole('/queue', answers(QUEUE, { 'POST jobs/j2/order': refusal }));
    await screen.findByRole('button', { name: 'Move alpha' });
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: /To the bottom of mine/ }));
    expect(order()).toEqual(['beta', 'gamma', 'alpha', 'delta']);
    await told('beta is running; only queued jobs have an order');
    await waitFor(() => expect(order()).toEqual(['alpha', 'beta', 'gamma', 'delta']));
  });

  it('holds news back while a row is held, says so, and shows them when it is put down', async () => {
    let now = QUEUE;
    openConsole(
      '/queue',
      answers(() => now),
    );
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    fireEvent.keyDown(grip, { key: ' ' });
    now = [place({ position: 1, name: 'alpha', job_id: 'j2' }), place({ position: 2, name: 'gamma', job_id: 'j5' })];
    await act(() => queryClient.invalidateQueries({ queryKey: queueKeys.all }));
    expect(await screen.findByText('The queue has changed; it updates when you drop the job.')).toBeTruthy();
    expect(order()).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    fireEvent.keyDown(grip, { key: 'Escape' });
    await waitFor(() => expect(order()).toEqual(['alpha', 'gamma']));
    expect(screen.queryByText('The queue has changed; it updates when you drop the job.')).toBeNull();
  });
});

describe('a job that starts while its neighbour is held', () => {
  it('is not taken for the next one: the move is told as it was seen, and the server answers it', async () => {
    let now = QUEUE;
    const refusal = new Refusal(409, {
      type: 'wrong_state',
      title: 'Wrong state',
      detail: 'alpha is running; only queued jobs have an order',
    });
    const { calls } = openConsole(
      '/queue',
      answers(() => now, { 'POST jobs/j5/order': refusal }),
    );
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    fireEvent.keyDown(grip, { key: ' ' });
    now = QUEUE.filter((item) => item.name !== 'alpha');
    await act(() => queryClient.invalidateQueries({ queryKey: queueKeys.all }));
    await screen.findByText(/The queue has changed/);
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    fireEvent.keyDown(grip, { key: ' ' });
    await told('alpha is running; only queued jobs have an order');
    expect(orders(calls)).toEqual([['jobs/j5/order', { before: 'j2' }]]);
    await waitFor(() => expect(order()).toEqual(['beta', 'gamma', 'delta']));
  });
});
