import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Note } from '@/app/notify';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Node } from '@/api/nodes';
import type { Answers, Call } from '@/testing/app';
import { cards, node, nodeTask, preferences, session } from '@/testing/samples';

const notify = vi.hoisted(() => vi.fn<(note: Note) => void>());
vi.mock('@/app/notify', async (original) => ({ ...(await original<object>()), notify }));

const event = (seq: number, text: string) => ({
  seq,
  time: '2026-05-01T10:00:00Z',
  kind: 'task',
  job_id: 'j1',
  actor: null,
  data: {},
  text: { en: text, zh: text },
});
const noUse = {
  node: 'a100-1',
  times: [],
  measured_every: 5000,
  cpus: { mean: [], high: [] },
  memory: { mean: [], high: [] },
  cpus_total: 64,
  memory_total: 2 ** 39,
  network: null,
  gpus: [],
};

function open(answers: Answers = {}, address = '/nodes/a100-1') {
  return openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['node:read'] },
    'GET nodes/a100-1': node(),
    'GET nodes/a100-1/usage': noUse,
    'GET nodes/a100-1/events': { items: [event(2, 'worker-0 runs'), event(1, 'placed on a100-1')], next_cursor: null },
    ...answers,
  });
}
const governs = { 'GET permissions': { items: ['node:read', 'node:write'], everywhere: ['node:write'] } };

describe('the page of a node', () => {
  it('says how its tasks are kept apart, what they lack and how to mend it', async () => {
    const isolation: Node['isolation'] = {
      form: 'process',
      abilities: ['cgroup'],
      lacking: [
        {
          code: 'sandbox_not_installed',
          ability: 'sandbox',
          text: { en: 'bubblewrap is not installed', zh: '未安装 bubblewrap' },
          fix: { en: 'apt install bubblewrap', zh: '安装 bubblewrap' },
        },
      ],
      one_user: true,
      root: false,
      subordinate_ids: 0,
      text: { en: 'as plain processes, limited by control groups', zh: '作为普通进程运行，受控制组限制' },
    };
    open({ 'GET nodes/a100-1': node({ isolation }) });
    expect(await screen.findByText('as plain processes, limited by control groups')).toBeTruthy();
    expect(screen.getByText('bubblewrap is not installed · apt install bubblewrap')).toBeTruthy();
  });

  it('says what the node has, who holds its GPUs and what runs there', async () => {
    open();
    expect(await screen.findByText('In service: it takes jobs as long as resources are free.')).toBeTruthy();
    expect(screen.getByText('zone=east')).toBeTruthy();
    expect(screen.getByText('Virtual')).toBeTruthy();
    const gpus = within(screen.getByRole('list', { name: 'GPUs of a100-1' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
    expect(gpus[0]).toBe('GPU 0Free');
    expect(gpus[1]).toContain('GPU 1bertlin');
    const row = within(screen.getByRole('table')).getByRole('row', { name: /bert/ });
    expect(within(row).getByRole('link', { name: 'worker-0' }).getAttribute('href')).toBe('/jobs/j1?tab=logs&task=worker-0');
    expect(await screen.findByText('No measurements in this period')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('leads back to all nodes', async () => {
    open();
    const trail = await screen.findByRole('navigation', { name: 'You are here' });
    expect(within(trail).getByRole('link', { name: 'Nodes' }).getAttribute('href')).toBe('/nodes');
  });

  it('shows who shares a GPU, and how much of it is used where that is known', async () => {
    const tasks = [nodeTask({ gpus: [0] }), nodeTask({ gpus: [0], owner: 'wang', job_id: null, job_name: null, task: 'worker-1' })];
    open({ 'GET nodes/a100-1': node({ gpus: cards(2), tasks, used: { cpus: 1, memory: 1, gpus: 0.75 } }) });
    const [shared] = within(await screen.findByRole('list', { name: 'GPUs of a100-1' })).getAllByRole('listitem');
    expect(shared!.textContent).toContain('75 % of it in use');
    expect(shared!.textContent).toContain('private jobwang');
  });

  it('is one of an idle node too', async () => {
    open({
      'GET nodes/a100-1': node({ tasks: [], used: { cpus: 0, memory: 0, gpus: 0 } }),
      'GET nodes/a100-1/events': { items: [], next_cursor: null },
    });
    expect(await screen.findByText('It is ready for the next job in the queue.')).toBeTruthy();
    expect(await screen.findByText('No events yet')).toBeTruthy();
  });

  it('says that there is no such node', async () => {
    open({ 'GET nodes/a100-1': new Refusal(404, { type: 'not_found', title: 'None', detail: 'none' }) });
    expect(await screen.findByRole('heading', { name: 'No such node' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'All nodes' }).getAttribute('href')).toBe('/nodes');
  });

  it('stands when its plots and events cannot be read', async () => {
    const no = new Refusal(400, { type: 'x', title: 'No', detail: 'Nothing was kept.' });
    open({ 'GET nodes/a100-1/usage': no, 'GET nodes/a100-1/events': no });
    await waitFor(() => expect(screen.getAllByText('Nothing was kept.')).toHaveLength(2));
    expect(screen.getByRole('link', { name: 'worker-0' })).toBeTruthy();
  });
});

describe('events', () => {
  it('come latest first, and more on demand', async () => {
    const { calls } = open({
      'GET nodes/a100-1/events': ({ query }: { query: URLSearchParams }) =>
        query.get('cursor')
          ? { items: [event(1, 'the first')], next_cursor: null }
          : { items: [event(2, 'the second')], next_cursor: 'c1' },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Show earlier events' }));
    const list = screen.getByRole('list', { name: 'Events' });
    await waitFor(() =>
      expect(
        within(list)
          .getAllByRole('listitem')
          .map((item) => item.textContent!.slice(0, 10)),
      ).toEqual(['the second', 'the firstb']),
    );
    expect(calls.some((call) => call.query.get('cursor') === 'c1')).toBe(true);
  });
});

describe('plots', () => {
  it('ask for the window of the address, and for another when it is chosen', async () => {
    const { calls, address } = open({}, '/nodes/a100-1?window=6h');
    const windows = () => calls.filter((call) => call.path.endsWith('usage')).map((call) => call.query.get('window'));
    await waitFor(() => expect(windows()).toEqual(['6h']));
    fireEvent.click(await screen.findByRole('radio', { name: '15 min' }));
    await waitFor(() => expect(windows()).toEqual(['6h', '15m']));
    expect(address()).toBe('/nodes/a100-1?window=15m');
  });

  it('show the network also where no task was measured, and what it carries now', async () => {
    const line = { mean: [1024, 2048], high: [1024, 2048] };
    const now = { received: 2 ** 20, sent: 2048, shared: true };
    open({
      'GET nodes/a100-1': node({ network: now }),
      'GET nodes/a100-1/usage': { ...noUse, network: { times: [1000, 2000], received: line, sent: line, shared: true } },
    });
    const chart = await screen.findByRole('figure');
    expect(chart.getAttribute('aria-label')).toBe('Network of the machine');
    expect(screen.getByText('No measurements in this period')).toBeTruthy();
    expect(screen.getByText('1 MiB/s in · 2 KiB/s out (the whole machine, shared by its virtual nodes)')).toBeTruthy();
  });

  it('show CPUs, memory and GPUs', async () => {
    const line = { mean: [1, 2], high: [1, 2] };
    open({
      'GET nodes/a100-1/usage': { ...noUse, times: [1000, 2000], cpus: line, memory: line, gpus: [{ index: 0, busy: line, memory: line }] },
    });
    const charts = await screen.findAllByRole('figure');
    expect(charts.map((chart) => chart.getAttribute('aria-label'))).toEqual(['CPUs', 'Memory', 'GPUs busy', 'GPU memory']);
  });
});

const done = { items: [{ name: 'a100-1', ok: true, error: null }] };
const sentBy = (calls: Call[], path: string) =>
  calls.filter((call) => call.method === 'POST' && call.path === path).map(({ body }) => body);

describe('cordon', () => {
  it('is not offered to those who may not', async () => {
    open();
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Cordon' })).toBeNull();
  });

  it('asks first, says that running tasks go on, and takes a note', async () => {
    const { calls } = open({ ...governs, 'POST nodes/cordon': done });
    fireEvent.click(await screen.findByRole('button', { name: 'Cordon' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cordon a100-1?' });
    expect(dialog.textContent).toContain('The 1 task running there continues.');
    fireEvent.change(within(dialog).getByLabelText('Note'), { target: { value: 'fan is loud' } });
    expect(sentBy(calls, 'nodes/cordon')).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cordon' }));
    await waitFor(() => expect(sentBy(calls, 'nodes/cordon')).toEqual([{ nodes: ['a100-1'], cordoned: true, note: 'fan is loud' }]));
    await waitFor(() => expect(notify).toHaveBeenCalledWith({ message: 'a100-1 takes no new jobs.' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is taken back without asking', async () => {
    const { calls } = open({ ...governs, 'GET nodes/a100-1': node({ state: 'cordoned', note: 'fan is loud' }), 'POST nodes/cordon': done });
    expect(await screen.findByText(/An administrator cordoned it/)).toBeTruthy();
    expect(screen.getByText('Note: fan is loud')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Uncordon' }));
    await waitFor(() => expect(sentBy(calls, 'nodes/cordon')).toEqual([{ nodes: ['a100-1'], cordoned: false, note: '' }]));
  });

  it('says why it was refused', async () => {
    open({ ...governs, 'POST nodes/cordon': { items: [{ name: 'a100-1', ok: false, error: 'It just left.' }] } });
    fireEvent.click(await screen.findByRole('button', { name: 'Cordon' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cordon' }));
    expect(await screen.findByText('It just left.')).toBeTruthy();
  });
});

describe('drain', () => {
  it('shows what would have to give way, and then drains', async () => {
    const jobs = [
      { job_id: 'j1', name: 'bert', owner: 'lin', class: 'single', ends_by_itself: true },
      { job_id: null, name: null, owner: 'wang', class: 'workspace', ends_by_itself: false },
    ];
    const { calls } = open({ ...governs, 'POST nodes/drain': { nodes: ['a100-1'], jobs, drain_by: '2026-05-01T12:00:00Z' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Drain' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Drain a100-1?' }));
    const list = await dialog.findByRole('list', { name: '2 jobs run there' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['bertlin · Single nodeends in time', 'private jobwang · Workspacewill be evicted']);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Drain' }));
    await waitFor(() =>
      expect(sentBy(calls, 'nodes/drain').at(-1)).toEqual({ nodes: ['a100-1'], deadline: '30m', note: '', preview: false }),
    );
    expect(sentBy(calls, 'nodes/drain')[0]).toMatchObject({ preview: true });
  });

  it('and a note that the engine tells too stand once', async () => {
    open({ 'GET nodes/a100-1': node({ state: 'cordoned', why: 'ECC errors', note: 'ECC errors' }) });
    expect((await screen.findAllByText(/ECC errors/)).length).toBe(1);
  });

  it('and maintenance are told on the page', async () => {
    const windows = [{ name: 'firmware', description: 'New fans' }];
    open({
      'GET nodes/a100-1': node({ closes_at: '2026-05-02T10:00:00Z', maintenance: 'firmware' }),
      'GET maintenance': { items: windows, next_cursor: null },
    });
    expect(await screen.findByText(/^Closes/)).toBeTruthy();
    expect(await screen.findByText(/: New fans$/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'firmware' }).getAttribute('href')).toBe('/pools');
  });
});
