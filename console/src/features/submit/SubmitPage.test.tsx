import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { setWidth, valueOf } from '@/testing/fields';
import { detail, session } from '@/testing/samples';
import { answers, file, fill, good, open, sent, summary, user } from './testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

describe('before submitting', () => {
  it('the cost is told, in GPU-hours too, and that it would start at once', async () => {
    await open('/jobs/new?example=gpu');
    await summary().findByText('16 × A100 · 2 tasks · 64 CPUs · 512 GiB');
    expect(summary().getByText('1.3 GPU-hours in 5m')).toBeTruthy();
    expect(summary().getByText('It would start at once')).toBeTruthy();
    expect(summary().getByText('danlu submit train-on-a-gpu.yaml')).toBeTruthy();
  });

  it('a total says that Danlu divides it', async () => {
    await open('/jobs/new?example=total', { 'POST jobs/check': { ...good, size: { ...good.size, tasks: 0 } } });
    expect(await summary().findByText('16 × A100 · divided by Danlu · 64 CPUs · 512 GiB')).toBeTruthy();
  });

  it('or that it would wait, behind how many and why', async () => {
    const text = { en: '2 A100 are free, 8 are wanted', zh: '' };
    const would = { starts_now: false, ahead: 3, reason: { code: 'x', params: {}, text, meaning: text, advice: text } };
    await open('/jobs/new?example=gpu', { 'POST jobs/check': { ...good, would } });
    await summary().findByText('It would wait behind 3 jobs');
    expect(summary().getByText('2 A100 are free, 8 are wanted')).toBeTruthy();
  });
});

describe('who may only look', () => {
  it('is told so instead of being led through the form', async () => {
    openConsole('/jobs/new', { ...answers, 'GET session': { ...session, user: { ...session.user, role: 'viewer' } } });
    expect(await screen.findByText('You cannot submit jobs')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('a check that the server does not make', () => {
  it('says why', async () => {
    await open('/jobs/new?example=gpu', {
      'POST jobs/check': new Refusal(503, { type: 'unavailable', title: 'Busy', detail: 'the database is away' }),
    });
    expect(await summary().findByText('Not checked: the database is away')).toBeTruthy();
  });
});

describe('submitting', () => {
  it('sends what the file says and opens the job; Ctrl+Enter does it too', async () => {
    const { calls, address } = await open('/jobs/new?example=hello');
    await fill('Name *', 'bert-large');
    await user.click(screen.getByLabelText('Description'));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(address()).toBe('/jobs/j9'));
    const [call] = sent(calls);
    expect(call!.body).toMatchObject({ kind: 'training', name: 'bert-large', resources: { cpus: 1, memory: '512MiB' } });
    expect(call!.query.get('start')).toBe('true');
    expect(localStorage.getItem('danlu.draft.lin.new')).toBeNull();
  });

  it('uses one key for one attempt, and another for another text', async () => {
    const { calls } = await open('/jobs/new?example=hello', {
      'POST jobs': new Refusal(503, { type: 'busy', title: 'Busy', detail: 'try again' }),
    });
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(sent(calls)).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(sent(calls)).toHaveLength(2));
    await fill('Description', 'x');
    await user.click(screen.getByRole('button', { name: 'Create only' }));
    await waitFor(() => expect(sent(calls)).toHaveLength(3));
    const keys = sent(calls).map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(sent(calls)[2]!.query.get('start')).toBe('false');
  });
});

describe('over quota', () => {
  const text = { en: 'lin uses 3 of 3 GPUs and asks for 1 more', zh: 'lin 已使用 3/3 卡，还需 1 卡' };
  const over = { loc: ['resources', 'gpus'], code: 'insufficient_quota', message: text.en, text, params: {} };
  const shortfalls = [{ quota: 'user:lin', class: 'all', resource: 'gpus', used: 3, asked: 1, limit: 3, jobs: ['lin:notebook'], text }];
  const refused = new Refusal(409, {
    type: 'insufficient_quota',
    title: 'insufficient quota',
    detail: 'insufficient quota',
    errors: [over],
    shortfalls,
  });
  const told = { 'POST jobs/check': { valid: false, errors: [over], shortfalls, size: null, would: null } };

  it('is told before, and a start that is tried all the same says what holds it', async () => {
    const { calls } = await open('/jobs/new?example=gpu', { ...told, 'POST jobs': refused });
    await summary().findByText(/lin uses 3 of 3 GPUs/);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByRole('link', { name: 'lin:notebook' })).toBeTruthy();
    expect(notice.getByRole('button', { name: 'Ask for more' })).toBeTruthy();
    expect(sent(calls)).toHaveLength(1);
  });

  it('is told in the language of the reader', async () => {
    await activateLocale('zh-CN');
    openConsole('/jobs/new?example=gpu', { ...answers, ...told });
    const before = within(await screen.findByRole('region', { name: '提交之前' }));
    await before.findByText(/lin 已使用 3\/3 卡，还需 1 卡/);
    expect(before.queryByText(/lin uses/)).toBeNull();
  });

  it('keeps nobody from creating a job', async () => {
    const { address } = await open('/jobs/new?example=gpu', told);
    await summary().findByText(/lin uses 3 of 3 GPUs/);
    await user.click(screen.getByRole('button', { name: 'Create only' }));
    await waitFor(() => expect(address()).toBe('/jobs/j9'));
  });
});

describe('beginning', () => {
  it('with an example, chosen from the gallery', async () => {
    const { address } = await open();
    expect(screen.queryByRole('button', { name: /^Parameter server/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'All examples…' }));
    await user.click(screen.getByRole('button', { name: /^Parameter server/ }));
    await waitFor(() => expect(file()).toContain('ps-and-workers'));
    expect(address()).toBe('/jobs/new?example=roles');
    screen.getByRole('group', { name: 'Role ps' });
  });

  it('with the smallest example at a click, filled in', async () => {
    const { address } = await open();
    await user.click(screen.getByRole('button', { name: 'Begin with an example' }));
    await waitFor(() => expect(file()).toContain('hello-danlu'));
    expect(address()).toBe('/jobs/new?example=hello');
  });

  it('with a recent job of one’s own at a click', async () => {
    const { address } = await open('/jobs/new', {
      'GET jobs': { items: [{ ...detail(), id: 'j1', name: 'my-latest' }], next_cursor: null, total: 1 },
    });
    await user.click(await screen.findByRole('button', { name: 'my-latest' }));
    await waitFor(() => expect(address()).toBe('/jobs/new?from=j1'));
  });

  it('with what is left of one’s quota beside the size', async () => {
    const line = { quota: 'lin', class: 'all', resource: 'gpus', limit: 8, used: 2, source: 'user', until: null };
    await open('/jobs/new?example=gpu', { 'GET users/lin/quota': { items: [line], storage: [], budgets: [], limits: [], caps: [] } });
    expect(await screen.findByText('6 GPUs left of your quota')).toBeTruthy();
  });

  it('with a copy of a job, as the next run of its name', async () => {
    await open('/jobs/new?from=j1');
    screen.getByText('copy of bert-pretrain');
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('bert-pretrain');
    expect(valueOf(screen.getByLabelText('Machines *'))).toBe('2');
  });

  it('with a copy that is changed as the address says, and nothing else is', async () => {
    await open('/jobs/new?from=j1&set=resources.memory:64GiB&set=nodes:4&set=command:evil');
    screen.getByText('with resources.memory: 64GiB, nodes: 4');
    expect(valueOf(screen.getByLabelText('Memory'))).toBe('64GiB');
    expect(valueOf(screen.getByLabelText('Machines *'))).toBe('4');
    expect(valueOf(screen.getByLabelText('Command *'))).toBe('python train.py');
    expect(localStorage.getItem('danlu.draft.lin.new')).toBeNull();
  });

  it('with a job that is not there says so', async () => {
    openConsole('/jobs/new?from=gone', answers);
    expect(await screen.findByText('This could not be loaded')).toBeTruthy();
  });
});

describe('what is not sent yet', () => {
  it('is offered again as a draft', async () => {
    localStorage.setItem('danlu.draft.lin.new', JSON.stringify([{ visit: 1, text: 'kind: training\nname: half-done\n', at: Date.now() }]));
    await open();
    screen.getByText('You have a draft of half-done');
    await user.click(screen.getByRole('button', { name: 'Restore draft' }));
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('half-done');
    expect(screen.queryByText('You have a draft of half-done')).toBeNull();
  });

  it('is offered as one without a name where it has none', async () => {
    localStorage.setItem(
      'danlu.draft.lin.new',
      JSON.stringify([{ visit: 1, text: 'kind: training\nname: ""\ncommand: ls\n', at: Date.now() }]),
    );
    await open();
    expect(screen.getByText('You have an unnamed draft')).toBeTruthy();
  });

  it('can be discarded', async () => {
    localStorage.setItem('danlu.draft.lin.new', JSON.stringify([{ visit: 1, text: 'name: half-done\n', at: Date.now() }]));
    await open();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(localStorage.getItem('danlu.draft.lin.new')).toBeNull();
  });

  it('stays until it is restored or discarded, also when something else is written', async () => {
    localStorage.setItem('danlu.draft.lin.new', JSON.stringify([{ visit: 1, text: 'name: half-done\n', at: Date.now() }]));
    await open();
    await fill('Name *', 'other-job');
    const kept = JSON.parse(localStorage.getItem('danlu.draft.lin.new')!) as { text: string }[];
    expect(kept.map(({ text }) => /name: (.+)/.exec(text)![1])).toEqual(['other-job', 'half-done']);
    screen.getByText('You have a draft of half-done');
  });

  it('is kept while one writes, and leaving asks first', async () => {
    const { address } = await open();
    await fill('Name *', 'bert-large');
    expect(localStorage.getItem('danlu.draft.lin.new')).toContain('bert-large');
    await user.click(screen.getByRole('link', { name: 'Nodes' }));
    const dialog = await screen.findByRole('dialog', { name: 'Leave this page?' });
    await user.click(within(dialog).getByRole('button', { name: 'Stay' }));
    expect(address()).toBe('/jobs/new');
    await user.click(screen.getByRole('link', { name: 'Nodes' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(address()).toContain('/nodes'));
  });

  it('does not ask where nothing was written', async () => {
    const { address } = await open('/jobs/new?example=gpu');
    await user.click(screen.getByRole('link', { name: 'Nodes' }));
    await waitFor(() => expect(address()).toContain('/nodes'));
  });
});
