import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Answers, Call } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { request } from '@/testing/people';
import { preferences, session } from '@/testing/samples';

const quota = request({
  id: 'r2',
  kind: 'quota',
  subject: 'user:chen',
  note: '',
  asked: { amounts: { workspace: { gpus: 4 }, all: { memory: 2 ** 38, gpus: 16 } }, life: '7d' },
});
const page = (...items: unknown[]) => ({ items, next_cursor: null, total: items.length });

function open(address: string, answers: Answers = {}) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: [], everywhere: [] },
    'GET requests': page(request(), quota),
    ...answers,
  });
  const sent = (call: string) =>
    console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body as Record<string, unknown>);
  return { ...console, sent };
}

const inDialog = async () => within(await screen.findByRole('dialog'));
const cardOf = async (words: RegExp) => within((await screen.findByText(words)).closest('li')!);

describe('requests to decide', () => {
  it('tell who asks for what and why, and are counted in the navigation', async () => {
    const { calls } = open('/requests');
    expect(await screen.findByText('the tokenizer')).toBeTruthy();
    expect(screen.getByText('All classes together: GPUs 16, Memory 256 GiB · Workspace: GPUs 4 · for 7 days')).toBeTruthy();
    expect(await screen.findByRole('img', { name: '2 requests to decide' })).toBeTruthy();
    const asked = calls.find(({ path }) => path === 'requests')!.query;
    expect([asked.getAll('state'), asked.get('mine')]).toEqual([['open'], 'false']);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are approved as another role, with an answer', async () => {
    const { sent } = open('/requests', { 'POST requests/r1/approve': request({ state: 'approved' }) });
    fireEvent.click((await cardOf(/the tokenizer/)).getByRole('button', { name: 'Approve' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'viewer' } });
    fireEvent.change(dialog.getByLabelText('Answer (optional)'), { target: { value: 'welcome' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(sent('POST requests/r1/approve')).toEqual([{ answer: 'welcome', role: 'viewer' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('for more quota are approved for as long as asked, or another time', async () => {
    const { sent } = open('/requests', {
      'POST requests/r2/approve': ({ body }: Call) =>
        (body as { life?: string }).life ? quota : new Refusal(409, { type: 'conflict', detail: 'withdrawn already', errors: [] }),
    });
    fireEvent.click((await cardOf(/for 7 days/)).getByRole('button', { name: 'Approve' }));
    const dialog = await inDialog();
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }));
    expect(await dialog.findByText('withdrawn already')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('For how long'), { target: { value: '2d' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(sent('POST requests/r2/approve')).toEqual([{ answer: '' }, { answer: '', life: '2d' }]));
  });

  it('for more quota are approved with other amounts, and what is wrong with these is told in the grid', async () => {
    const errors = [{ loc: ['amounts', 'workspace', 'gpus'], code: 'bad_value', message: 'x is no number' }];
    const bad = new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors });
    const { sent } = open('/requests', {
      'POST requests/r2/approve': ({ body }: Call) => (JSON.stringify(body).includes('"x"') ? bad : quota),
    });
    fireEvent.click((await cardOf(/for 7 days/)).getByRole('button', { name: 'Approve' }));
    const dialog = await inDialog();
    const grid = within(await dialog.findByRole('table', { name: 'How much' }));
    const cell = grid.getByLabelText<HTMLInputElement>('Workspace: GPUs');
    expect([cell.value, grid.getByLabelText<HTMLInputElement>('All classes together: Memory').value]).toEqual(['4', '256GiB']);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.change(cell, { target: { value: 'x' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }));
    expect(await grid.findByText('x is no number')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
    fireEvent.change(cell, { target: { value: '2' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() =>
      expect(sent('POST requests/r2/approve').at(-1)).toEqual({
        answer: '',
        amounts: { workspace: { gpus: 2 }, all: { memory: 2 ** 38, gpus: 16 } },
      }),
    );
  });

  it('are refused with a reason only', async () => {
    const { sent } = open('/requests', { 'POST requests/r1/refuse': request({ state: 'refused' }) });
    fireEvent.click((await cardOf(/the tokenizer/)).getByRole('button', { name: 'Refuse' }));
    const dialog = await inDialog();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Refuse' }).disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'no room' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Refuse' }));
    await waitFor(() => expect(sent('POST requests/r1/refuse')).toEqual([{ answer: 'no room' }]));
  });

  it('of others are shown without buttons to those who only read them', async () => {
    open('/requests', { 'GET requests': page(request({ can_decide: false })) });
    const card = await cardOf(/the tokenizer/);
    expect(card.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('img', { name: /to decide/ })).toBeNull();
  });

  it('say what appears where there are none', async () => {
    open('/requests', { 'GET requests': page() });
    expect(await screen.findByText('No requests to decide')).toBeTruthy();
  });
});

describe('decided requests', () => {
  it('tell by whom, and the answer', async () => {
    const decided = request({
      state: 'refused',
      decided_by: 'sara',
      decided_at: '2026-05-02T10:00:00Z',
      answer: 'no room',
      can_decide: false,
    });
    const { calls, address } = open('/requests', {
      'GET requests': ({ query }: Call) => (query.getAll('state').includes('refused') ? page(decided) : page()),
    });
    fireEvent.click(await screen.findByRole('tab', { name: 'Decided' }));
    const card = await cardOf(/the tokenizer/);
    expect(card.getByText('Refused')).toBeTruthy();
    expect(card.getByText(/By sara/).textContent).toContain('“no room”');
    expect(address()).toBe('/requests?tab=decided');
    expect(calls.some(({ query }) => query.getAll('state').join() === 'approved,refused,withdrawn')).toBe(true);
  });
});

describe("requests of one's own", () => {
  it('are withdrawn after a question', async () => {
    const { sent } = open('/requests?tab=mine', {
      'GET requests': page(request({ user: 'lin', can_decide: false })),
      'POST requests/r1/withdraw': request({ state: 'withdrawn' }),
    });
    fireEvent.click((await cardOf(/the tokenizer/)).getByRole('button', { name: 'Withdraw' }));
    expect(sent('POST requests/r1/withdraw')).toHaveLength(0);
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(sent('POST requests/r1/withdraw')).toHaveLength(1));
  });

  it('lead to the projects where there are none', async () => {
    open('/requests?tab=mine', { 'GET requests': page() });
    expect((await screen.findByRole('link', { name: 'See the projects' })).getAttribute('href')).toBe('/projects');
  });

  it('are read on by the page', async () => {
    const { calls } = open('/requests?tab=mine', {
      'GET requests': ({ query }: Call) =>
        query.get('cursor') ? page(request({ id: 'r9', note: 'older' })) : { items: [request()], next_cursor: 'c1', total: 2 },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('older')).toBeTruthy();
    expect(calls.some(({ query }) => query.get('cursor') === 'c1')).toBe(true);
  });
});
