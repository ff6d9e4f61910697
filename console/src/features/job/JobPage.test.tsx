import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { QueueItem, Why } from '@/api/queue';
import type { DanluEvent } from '@/api/types';
import { pageCommands } from '@/app/commands';
import { activateLocale } from '@/app/i18n';
import { queryClient } from '@/app/queries';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { attempt, detail, heldBy, reason, session, task } from '@/testing/samples';

const line = (offset: number, text: string) => ({ offset, time: '2026-05-01T10:01:00Z', stream: 'o', text });
const log = { lines: [line(0, 'epoch 1'), line(40, 'ValueError: bad sample'), line(80, 'epoch 2')], next_offset: 120, end: true };

function open(address: string, job = detail(), more: Record<string, unknown> = {}) {
  return openConsole(address, { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/logs': log, ...more });
}

function event(seq: number, kind: string, data: Record<string, unknown>, text: string): DanluEvent {
  return { seq, time: '2026-05-01T10:00:00Z', kind, job_id: 'j1', actor: 'lin', data, text: { en: text, zh: text } };
}

const failed = detail({
  state: 'failed',
  reason,
  ended_at: '2026-05-01T11:00:00Z',
  actions: ['start', 'edit', 'clone', 'delete'],
  tasks: [task({ state: 'failed', exit_code: 1 })],
});

/** The buttons of the head, those without a use now among them. */
const bar = () => [
  ...screen.getByRole('button', { name: 'More actions' }).closest('div')!.parentElement!.querySelectorAll('span > button'),
];

describe('the job page', () => {
  it('explains a failure: what happened, what it means, what to do', async () => {
    open('/jobs/j1', failed);
    expect(await screen.findByText('worker-0 ended with exit code 1')).toBeTruthy();
    expect(screen.getByText('The program reported an error.')).toBeTruthy();
    expect(screen.getByText('Read the end of its log.')).toBeTruthy();
    expect((await screen.findByRole('link', { name: 'Clone with changes' })).getAttribute('href')).toBe('/jobs/new?from=j1');
    await screen.findByRole('log');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('shows the last words of the task that failed, and the way to them', async () => {
    open('/jobs/j1?tab=spec', failed);
    const last = await screen.findByRole('region', { name: 'Last lines of worker-0' });
    expect(last.textContent).toContain('ValueError: bad sample');
    expect(screen.getByRole('link', { name: 'Go to the log' }).getAttribute('href')).toBe('/jobs/j1?tab=logs&task=worker-0&line=80');
  });

  it('proposes more memory to a job that ran out of it, and leads to a copy that has it', async () => {
    open('/jobs/j1', { ...failed, reason: { ...reason, code: 'out_of_memory' }, spec: { ...failed.spec, resources: { memory: '32GiB' } } });
    const link = await screen.findByRole('link', { name: 'Clone with more memory' });
    expect(link.getAttribute('href')).toBe('/jobs/new?from=j1&set=resources.memory%3A64GiB');
  });

  it('says how a total of GPUs was divided', async () => {
    open(
      '/jobs/j1',
      detail({ gpus: 16, nodes: 0, tasks: [0, 1, 2, 3].map((index) => task({ name: `worker-${index}`, index, gpus: [0, 1, 2, 3] })) }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Show the facts' }));
    expect(await screen.findByText('16 A100 as 4 × 4')).toBeTruthy();
  });

  it('says how many tasks a job without GPUs has', async () => {
    open('/jobs/j1', detail({ gpus: 0, gpu_model: null, nodes: 3 }));
    fireEvent.click(await screen.findByRole('button', { name: 'Show the facts' }));
    expect(await screen.findByText('3 tasks')).toBeTruthy();
  });

  it('has at most six tabs, with the others behind them', async () => {
    const { address } = open('/jobs/j1');
    await screen.findByRole('log');
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Logs',
      'Metrics',
      'Utilisation',
      'Files',
      'Tasks2',
      'Details',
    ]);
    fireEvent.click(screen.getByRole('tab', { name: 'Details' }));
    fireEvent.click(await screen.findByRole('radio', { name: 'Events' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=events'));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('keeps the place of each button when the state changes', async () => {
    const places = () => bar().map((button) => button.textContent);
    open('/jobs/j1');
    const stop = await screen.findByRole('button', { name: 'Stop' });
    const before = places();
    expect(bar().indexOf(stop)).toBe(before.length - 1);
    act(() => queryClient.setQueryData(['job', 'j1', 'detail'], failed));
    expect(await screen.findByRole('button', { name: 'Start' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    expect(places()).toEqual(before);
  });

  it('shows its time against what was expected and allowed', async () => {
    const spec = { kind: 'training', expected_time: '30m', max_time: '2h' };
    open('/jobs/j1', detail({ state: 'completed', ended_at: '2026-05-01T11:01:00Z', spec }));
    expect(
      (await screen.findByRole('progressbar', { name: '1h of at most 2h, expected 30m, exceeded by 30m' })).getAttribute('aria-valuenow'),
    ).toBe('50');
  });

  it('is about an earlier try where that is chosen: log and facts follow', async () => {
    const tries = [attempt({ state: 'failed', reason, ended_at: '2026-05-01T10:11:00Z' }), attempt({ number: 2 })];
    const { calls, address } = open('/jobs/j1', detail({ attempt: 2, attempts: tries, framework: 'pytorch', strategy: 'ddp' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Show the facts' }));
    expect(await screen.findByText('PyTorch · ddp')).toBeTruthy();
    fireEvent.change(screen.getByRole('combobox', { name: 'Attempt' }), { target: { value: '1' } });
    await waitFor(() => expect(address()).toBe('/jobs/j1?attempt=1'));
    const facts = screen.getByRole('complementary', { name: 'Facts about the job' });
    expect(within(facts).getByRole('heading', { name: 'Attempt 1' })).toBeTruthy();
    expect(within(facts).getByText('worker-0 ended with exit code 1')).toBeTruthy();
    await waitFor(() => expect(calls.some(({ path, query }) => path === 'jobs/j1/logs' && query.get('attempt') === '1')).toBe(true));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('offers its actions in the command palette', async () => {
    open('/jobs/j1');
    await screen.findByRole('button', { name: 'Stop' });
    expect(pageCommands().map(({ label }) => label)).toEqual([
      'Copy the job ID',
      'Copy a link to this view',
      'Print',
      'Stop · bert-pretrain',
      'Restart · bert-pretrain',
      'Clone · bert-pretrain',
    ]);
    act(() => pageCommands()[3]!.run());
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('explains it in Chinese as well', async () => {
    await activateLocale('zh-CN');
    open('/jobs/j1', detail({ state: 'failed', reason }));
    expect(await screen.findByText('程序报告了错误。')).toBeTruthy();
  });

  it('offers what the server allows and nothing else', async () => {
    open('/jobs/j1', detail({ actions: ['stop', 'levitate'] }));
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull();
  });

  it('lets those pin who may', async () => {
    const { calls } = open('/jobs/j1', detail({ actions: ['pin'] }), {
      'PUT jobs/j1/pin': detail({ actions: ['unpin'], pinned_at: '2026-05-01T12:00:00Z' }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'More actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Pin to the front' }));
    expect(await screen.findByText('Pinned')).toBeTruthy();
    expect(calls.some((call) => call.method === 'PUT' && call.path === 'jobs/j1/pin')).toBe(true);
  });

  it('shows the steps of a job that starts', async () => {
    const events = [
      event(1, 'state_changed', { to: 'queued' }, 'queued'),
      event(2, 'placed', { attempt: 1 }, 'placed'),
      event(3, 'task_starting', { task: 'worker-0', step: 'prepare' }, 'ready'),
    ];
    open(
      '/jobs/j1',
      detail({ state: 'starting', started_at: null, tasks: [task({ state: 'starting', step: 'prepare', started_at: null })] }),
      { 'GET jobs/j1/events': { items: events, next_cursor: null } },
    );
    const steps = await screen.findByRole('list', { name: 'Steps of starting' });
    expect((await within(steps).findByText(/Preparing/)).closest('li')!.getAttribute('aria-current')).toBe('step');
    expect(within(steps).getByText(/Placed/).textContent).toContain('done');
  });

  it('leads from the name of a job to its address by id', async () => {
    const { address } = open('/jobs/bert?tab=tasks', detail(), { 'GET jobs/bert': detail() });
    await screen.findByRole('button', { name: 'worker-1' });
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=tasks'));
  });

  it('of a job that is deleted meanwhile says so, and offers nothing more', async () => {
    let there = true;
    open('/jobs/j1', detail(), { 'GET jobs/j1': () => (there ? detail() : new Refusal(404, { detail: "there is no job 'j1'" })) });
    await screen.findByRole('button', { name: 'Stop' });
    there = false;
    await act(() => queryClient.invalidateQueries({ queryKey: ['job', 'j1'] }));
    expect(await screen.findByText('bert-pretrain was deleted')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    expect(screen.getByRole('link', { name: 'All jobs' }).getAttribute('href')).toBe('/jobs');
  });

  it('shows the way into a workspace', async () => {
    open('/jobs/j1', detail({ kind: 'workspace', actions: ['exec', 'stop'] }));
    expect((await screen.findByRole('link', { name: 'Open a terminal' })).getAttribute('href')).toBe('/jobs/j1?tab=terminal');
  });

  it('says that there is no such job', async () => {
    open('/jobs/j1', detail(), { 'GET jobs/j1': new Refusal(404, { detail: 'gone' }) });
    expect(await screen.findByText('No such job')).toBeTruthy();
  });
});

describe('a job that waits', () => {
  const waiting = { ...reason, code: 'not_enough_gpus', text: { en: 'needs 32 A100, 3 are free', zh: '需要 32 张 A100' } };
  const queued = detail({
    state: 'queued',
    waiting,
    started_at: null,
    attempt: 0,
    tasks: [],
    attempts: [],
    actions: ['stop', 'clone', 'order'],
  });
  const lane = { gpu_model: 'A100', class: 'distributed' as const };
  const ahead: QueueItem = {
    lane,
    position: 1,
    owner: 'chen',
    project: 'nlp',
    kind: 'training',
    class: 'distributed',
    priority: 'normal',
    gpus: 16,
    gpu_model: 'A100',
    cpus: 32,
    memory: 2 ** 30,
    nodes: 2,
    created_at: '2026-05-01T09:00:00Z',
    queued_at: '2026-05-01T09:00:00Z',
    pinned_at: null,
    mine: false,
    job_id: null,
    name: null,
    reason: null,
  };
  const holder = heldBy({ latest_end: new Date(Date.now() + 865_800_000).toISOString() });
  const why: Why = {
    state: 'queued',
    reason: waiting,
    places: [{ lane, position: 2, waiting: 5 }],
    ahead: [ahead],
    ahead_total: 1,
    helps: [
      { change: 'gpus', value: '4', text: { en: 'with 4 GPUs per task it would start now', zh: '' }, command: 'danlu edit j1 --gpus 4' },
    ],
    holders: [holder],
    models: [{ gpu_model: 'A100', total: 16, held: 16, free: 0, jobs: 3 }],
  };

  it('says why, where it stands and what would start it', async () => {
    open('/jobs/j1', queued, { 'GET jobs/j1/why': why });
    expect(await screen.findByText('needs 32 A100, 3 are free')).toBeTruthy();
    const panel = await screen.findByRole('region', { name: 'Why it is waiting' });
    expect(within(panel).getByText('Place').nextElementSibling?.textContent).toBe('2 of 5A100 · distributed');
    expect(within(panel).getByText('Held by').nextElementSibling?.textContent).toBe('wang + 2 more8 A100, 10d at most');
    expect(within(panel).getByText('chen')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Clone: Use 4 GPUs' }).getAttribute('href')).toBe('/jobs/new?from=j1&set=resources.gpus%3A4');
    expect(screen.getByText('No output yet')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is changed in place by the remedy, where it may be edited', async () => {
    const mine = { ...queued, actions: [...queued.actions, 'edit'] };
    const { calls } = open('/jobs/j1', mine, { 'GET jobs/j1/why': why, 'PATCH jobs/j1/spec': mine });
    fireEvent.click(await screen.findByRole('button', { name: 'Use 4 GPUs' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ gpus: 4 }));
  });

  it('is given a shorter time only after a question', async () => {
    const mine = { ...queued, actions: [...queued.actions, 'edit'] };
    const shorter = { change: 'max_time', value: '4h45m', text: { en: 'with a max_time of 4h45m', zh: '' }, command: '' };
    const { calls } = open('/jobs/j1', mine, { 'GET jobs/j1/why': { ...why, helps: [shorter] }, 'PATCH jobs/j1/spec': mine });
    fireEvent.click(await screen.findByRole('button', { name: 'Set max_time to 4h45m' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('If it still runs after 4h45m, it is stopped');
    expect(calls.some(({ method }) => method === 'PATCH')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Set max_time to 4h45m' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ max_time: '4h45m' }));
  });

  it('suggests what to do meanwhile', async () => {
    open('/jobs/j1', { ...queued, attempt: 2 }, { 'GET jobs/j1/why': { ...why, helps: [] } });
    expect((await screen.findByRole('link', { name: 'Move it up among my jobs' })).getAttribute('href')).toBe('/queue?owner=me');
    expect(screen.getByRole('link', { name: 'My score' }).getAttribute('href')).toBe('/scores/lin');
    expect(screen.getByRole('link', { name: 'Read the log of attempt 2' })).toBeTruthy();
  });

  it('says why even where the queue does not answer', async () => {
    open('/jobs/j1', queued);
    expect(await screen.findByText('needs 32 A100, 3 are free')).toBeTruthy();
  });
});
