import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Lane, QueueItem } from '@/api/types';
import { keys } from '@/api/keys';
import { queryClient } from '@/app/queries';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers, Call } from '@/testing/app';
import { detail, place, reason, session } from '@/testing/samples';

const notes = vi.hoisted(() => [] as { message: string; title?: string }[]);
vi.mock('@/app/notify', () => ({ notify: (note: { message: string }) => void notes.push(note) }));
/** One of the short messages in the corner. */
const told = (message: string) => waitFor(() => expect(notes.map((note) => note.message)).toContain(message));

const WAITS = { ...reason, code: 'not_enough_gpus', text: { en: 'needs 8 × A100; 4 are free', zh: '需要 8 × A100' } };
const LANES: Lane[] = [
  { gpu_model: 'A100', class: 'single', waiting: 5, total_waiting_seconds: 7200 },
  { gpu_model: 'H100', class: 'distributed', waiting: 1, total_waiting_seconds: 60 },
];
const QUEUE = [
  place({ position: 1, mine: false }),
  place({ position: 2, name: 'alpha', reason: WAITS }),
  place({ position: 3, mine: false, owner: 'chen' }),
  place({ position: 4, name: 'beta' }),
  place({ position: 5, name: 'gamma' }),
  place({ position: 1, name: 'delta', lane: { gpu_model: 'H100', class: 'distributed' }, job_id: 'j9' }),
];
const ADMINISTRATOR = { ...session, user: { ...session.user, name: 'root', role: 'administrator' as const } };

function pageOf(items: QueueItem[], next: string | null = null) {
  return { items, next_cursor: next, lanes: LANES, decided_at: new Date().toISOString() };
}

function answers(items: QueueItem[] | (() => QueueItem[]), more: Answers = {}): Answers {
  const now = () => (typeof items === 'function' ? items() : items);
  return {
    'GET session': session,
    'GET permissions': { items: ['queue:read', 'queue:order', 'job:stop'] },
    'GET projects': { items: [], next_cursor: null },
    'GET queue': ({ query }: Call) => pageOf(query.get('owner') === 'me' ? now().filter((item) => item.mine) : now()),
    ...more,
  };
}

const forAdministrators = (items: QueueItem[], more: Answers = {}) =>
  answers(items, { 'GET session': ADMINISTRATOR, 'GET permissions': { items: ['queue:read', 'queue:order', 'queue:pin', 'job:stop'] }, ...more });
/** As an administrator sees it: every job by its name, none one's own. */
const readable = QUEUE.map((item) => ({ ...item, mine: false, owner: item.owner, job_id: `k${item.lane.gpu_model}${item.position}`, name: item.name ?? `theirs-${item.position}` }));

const rows = () => screen.getAllByRole('row').filter((row) => row.querySelector('td:not([aria-hidden])')).map((row) => row.textContent);
const order = () => screen.getAllByRole('link', { name: /^(alpha|beta|gamma|delta)$/ }).map((link) => link.textContent);
const orders = (calls: Call[]) => calls.filter((call) => call.path.endsWith('/order')).map(({ path, body }) => [path, body]);

afterEach(() => void notes.splice(0));

describe('the queue', () => {
  it('shows everybody in the order of service, lane by lane, and of others only what one may know', async () => {
    openConsole('/queue', answers(QUEUE));
    await screen.findByRole('link', { name: 'alpha' });
    expect(rows().map((row) => row?.match(/private job|alpha|beta|gamma|delta/)?.[0])).toEqual(['private job', 'alpha', 'private job', 'beta', 'gamma', 'delta']);
    expect(screen.getByText('A100 · single-node')).toBeTruthy();
    expect(screen.getByText('5 waiting, 2h in all')).toBeTruthy();
    expect(screen.getByText('6 waiting, 2h 1m in all')).toBeTruthy();
    expect(screen.getByRole('tab', { name: /Single-node queue 5/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /Why alpha waits: needs 8 × A100; 4 are free/ })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
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
    expect(await screen.findByText('Nobody waits there')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
    expect(await screen.findByRole('heading', { name: 'Nobody waits' })).toBeTruthy();
  });

  it('answers why in full, at an address of its own', async () => {
    const why = {
      reason: WAITS, places: [{ lane: QUEUE[1]!.lane, position: 2 }], ahead: [QUEUE[0]], ahead_total: 3,
      helps: [{ change: 'gpus', value: '4', text: { en: 'with 4 GPUs per task it would start now', zh: '四张' } }],
    };
    const { address } = openConsole('/queue', answers(QUEUE, { 'GET jobs/j2/why': why, 'GET jobs/j2': detail({ id: 'j2', name: 'alpha' }) }));
    fireEvent.click(await screen.findByRole('button', { name: /Why alpha waits/ }));
    const panel = await screen.findByRole('dialog', { name: 'Why alpha waits' });
    expect(await within(panel).findByText('with 4 GPUs per task it would start now')).toBeTruthy();
    expect(within(panel).getByText('The program reported an error.')).toBeTruthy();
    expect(within(panel).getByText('position 2')).toBeTruthy();
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
    expect(await screen.findByText(/It can change turns only with/)).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Move up' })).toBeNull();
  });

  it('carries a job by keys, shows where it lands, and tells the server when it is put down', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j5/order': { items: [] } }));
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    grip.focus();
    fireEvent.keyDown(grip, { key: ' ' });
    expect(screen.getByText('You hold gamma, number 3 of your 3 here.')).toBeTruthy();
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
    await waitFor(() => expect(orders(calls)).toEqual([['jobs/j2/order', { after: 'j4' }], ['jobs/j2/order', { after: 'j5' }]]));
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
    await waitFor(() => expect(orders(calls)).toEqual([['jobs/j2/order', { after: 'j4' }], ['jobs/j2/order', { after: 'j5' }]]));
  });

  it('moves to a typed place, within bounds', async () => {
    const { calls } = openConsole('/queue', answers(QUEUE, { 'POST jobs/j2/order': { items: [] } }));
    await screen.findByRole('button', { name: 'Move alpha' });
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'To position…' }));
    const field = await screen.findByLabelText('Place among my own');
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
    fireEvent.click(await screen.findByRole('menuitem', { name: /To my last/ }));
    expect(order()).toEqual(['beta', 'gamma', 'alpha', 'delta']);
    await told('beta is running; only queued jobs have an order');
    await waitFor(() => expect(order()).toEqual(['alpha', 'beta', 'gamma', 'delta']));
  });

  it('holds news back while a row is held, says so, and shows them when it is put down', async () => {
    let now = QUEUE;
    openConsole('/queue', answers(() => now));
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    fireEvent.keyDown(grip, { key: ' ' });
    now = [place({ position: 1, name: 'alpha', job_id: 'j2' }), place({ position: 2, name: 'gamma', job_id: 'j5' })];
    await act(() => queryClient.invalidateQueries({ queryKey: keys.queue }));
    expect(await screen.findByText('The queue has moved on; it is shown as soon as you let go.')).toBeTruthy();
    expect(order()).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    fireEvent.keyDown(grip, { key: 'Escape' });
    await waitFor(() => expect(order()).toEqual(['alpha', 'gamma']));
    expect(screen.queryByText('The queue has moved on; it is shown as soon as you let go.')).toBeNull();
  });
});

describe('a job that starts while its neighbour is held', () => {
  it('is not taken for the next one: the move is told as it was seen, and the server answers it', async () => {
    let now = QUEUE;
    const refusal = new Refusal(409, { type: 'wrong_state', title: 'Wrong state', detail: 'alpha is running; only queued jobs have an order' });
    const { calls } = openConsole('/queue', answers(() => now, { 'POST jobs/j5/order': refusal }));
    const grip = await screen.findByRole('button', { name: 'Move gamma' });
    fireEvent.keyDown(grip, { key: ' ' });
    now = QUEUE.filter((item) => item.name !== 'alpha');
    await act(() => queryClient.invalidateQueries({ queryKey: keys.queue }));
    await screen.findByText(/The queue has moved on/);
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    fireEvent.keyDown(grip, { key: ' ' });
    await told('alpha is running; only queued jobs have an order');
    expect(orders(calls)).toEqual([['jobs/j5/order', { before: 'j2' }]]);
    await waitFor(() => expect(order()).toEqual(['beta', 'gamma', 'delta']));
  });
});

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
    const { calls } = openConsole('/queue', forAdministrators(pinned, { 'PUT jobs/kA1002/pin': detail(), 'DELETE jobs/kA1001/pin': detail() }));
    const first = (await screen.findByRole('link', { name: 'theirs-1' })).closest('tr')!;
    expect(within(first).getByText('Pinned')).toBeTruthy();
    expect(within(first).getByText(/10m ago/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Actions for theirs-1' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Unpin' }));
    await waitFor(() => expect(calls.some((call) => call.method === 'DELETE' && call.path === 'jobs/kA1001/pin')).toBe(true));
    fireEvent.click(screen.getByRole('button', { name: 'Actions for alpha' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Pin' }));
    await told('alpha goes first in its lanes.');
  });

  it('pin several at once so that they keep their order: the latest pin goes first', async () => {
    const { calls } = openConsole('/queue', forAdministrators(readable, { 'PUT jobs/kA1002/pin': detail(), 'PUT jobs/kA1004/pin': detail() }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose alpha' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose beta' }));
    const bar = screen.getByRole('region', { name: 'Chosen jobs' });
    expect(within(bar).getByText('2 jobs chosen')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(bar).getByRole('button', { name: 'Pin' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual(['jobs/kA1004/pin', 'jobs/kA1002/pin']));
  });

  it('close a job only after they were told whose it is', async () => {
    const { calls } = openConsole('/queue', forAdministrators(readable, { 'POST jobs/kA1001/stop': detail() }));
    await screen.findByRole('checkbox', { name: 'Choose alpha' });
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
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose alpha' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose beta' }));
    fireEvent.click(within(screen.getByRole('region', { name: 'Chosen jobs' })).getByRole('button', { name: 'Pin' }));
    await waitFor(() => expect(notes.map((note) => note.message)).toEqual(['alpha goes first in its lanes.', 'beta is completed']));
  });
});
