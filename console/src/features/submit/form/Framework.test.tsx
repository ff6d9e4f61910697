import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { describes, setWidth, valueOf } from '@/testing/fields';
import { answers, file, fill, good, open, sent, served, summary, user, write } from '../testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

const choose = async (label: string, value: string) => user.selectOptions(await screen.findByRole('combobox', { name: label }), value);
const role = (name: string) => within(screen.getByRole('group', { name: `Role ${name}` }));
const options = (label: string) =>
  within(screen.getByRole('combobox', { name: label }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
const why = { en: '4 of this size could start now', zh: '现在可以启动 4 个这种规格的子任务' };
const words = { en: 'one for every 4 workers is usual', zh: '通常每 4 个 worker 配 1 个' };

describe('the framework', () => {
  it('asks only what its strategy needs', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByRole('option', { name: 'PyTorch' });
    expect(screen.queryByRole('combobox', { name: 'Strategy' })).toBeNull();
    expect(screen.queryByLabelText('Processes per task')).toBeNull();
    await choose('Framework', 'pytorch');
    screen.getByText('torchrun starts one process per GPU.');
    screen.getByLabelText('Processes per task');
    await choose('Strategy', 'elastic');
    expect(file()).toContain('framework: pytorch\nstrategy: elastic\n');
    expect(valueOf(screen.getByLabelText('Machines *'))).toBe('2');
    expect(valueOf(screen.getByLabelText('Minimum tasks in total'))).toBe('1');
    expect(screen.queryByRole('radio', { name: 'Total GPUs' })).toBeNull();
    await choose('Framework', 'none');
    expect(file()).not.toContain('framework');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('has the roles that its strategy knows, each with what it is for and its bounds', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByRole('option', { name: 'TensorFlow' });
    await choose('Framework', 'tensorflow');
    await choose('Strategy', 'ps');
    expect(screen.queryByRole('radio', { name: 'One machine' })).toBeNull();
    role('chief').getByText('what chief does');
    expect(role('chief').queryByLabelText('Tasks')).toBeNull();
    expect(role('chief').queryByLabelText('GPUs')).toBeNull();
    expect(role('ps').queryByLabelText('Name')).toBeNull();
    expect(role('ps').queryByRole('button', { name: 'Remove role ps' })).toBeNull();
    await user.type(role('worker').getByLabelText('Tasks'), '8');
    expect(describes(role('ps').getByLabelText('Tasks'))).toContain('1–8 · one for every 4 workers is usual');
    await user.click(role('ps').getByRole('button', { name: 'Use 2, the usual number' }));
    expect(valueOf(role('ps').getByLabelText('Tasks'))).toBe('2');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('offers the roles that one may leave out', async () => {
    await open('/jobs/new');
    await write(
      'kind: training\nname: with-ps\ncommand: ls\nframework: tensorflow\nstrategy: ps\nroles:\n  - {name: chief}\n  - {name: ps}\n  - {name: worker}\n',
    );
    await user.click(await screen.findByRole('button', { name: 'Add evaluator' }));
    expect(screen.queryByRole('button', { name: 'Add a role' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove role evaluator' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add evaluator' }));
  });

  it('tells a bound at its field before the server answers', async () => {
    await open('/jobs/new');
    await write(
      'kind: training\nname: with-ps\ncommand: ls\nframework: tensorflow\nstrategy: ps\nroles:\n  - {name: chief}\n  - {name: ps, replicas: 0}\n  - {name: worker, replicas: 4}\n',
    );
    await waitFor(() =>
      expect(describes(role('ps').getByLabelText('Tasks'))).toContain('ps: 1–4, one for every 4 workers is usual; you asked for 0'),
    );
  });

  it('counts a role that is out of bounds while it is typed, and with other mistakes', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByRole('option', { name: 'TensorFlow' });
    await choose('Framework', 'tensorflow');
    await choose('Strategy', 'ps');
    const tasks = role('ps').getByLabelText('Tasks');
    await user.type(tasks, '{Backspace}0');
    expect(describes(tasks)).toContain('you asked for 0');
    expect(document.activeElement).toBe(tasks);
    summary().getByText('1 problem');
    await fill('Name *', 'abc');
    summary().getByText('2 problems');
  });

  it('needs one command for all its roles', async () => {
    await open();
    await screen.findByRole('option', { name: 'TensorFlow' });
    await choose('Framework', 'tensorflow');
    await choose('Strategy', 'ps');
    expect(summary().getByText('Required: Name, Command')).toBeTruthy();
  });

  it('proposes what fits now, with what goes with it', async () => {
    const proposal = {
      strategy: 'ps',
      nodes: null,
      advice: [],
      roles: [
        { name: 'worker', replicas: 12, flavor: null, resources: null, why },
        { name: 'ps', replicas: 3, flavor: null, resources: { cpus: 2, memory: '4GiB' }, why: words },
      ],
    };
    const { calls } = await open('/jobs/new', { 'POST frameworks/propose': proposal });
    await write(
      'kind: training\nname: with-ps\ncommand: ls\nframework: tensorflow\nstrategy: ps\nresources: {gpus: 1}\nroles:\n  - {name: chief}\n  - {name: ps}\n  - {name: worker, replicas: 4}\n',
    );
    await screen.findByText('4 of this size could start now');
    await user.click(screen.getByRole('button', { name: 'Use 12 worker + 3 ps' }));
    expect(file()).toContain('{ name: worker, replicas: 12 }'.replaceAll('{ ', '{').replaceAll(' }', '}'));
    expect(file()).toMatch(/name: ps, replicas: 3, resources: \{\s*cpus: 2, memory: 4GiB\s*\}/);
    expect(calls.find(({ path }) => path === 'frameworks/propose')!.body).toEqual({
      framework: 'tensorflow',
      strategy: 'ps',
      project: 'public',
      resources: { gpus: 1 },
    });
    expect(screen.queryByRole('button', { name: /^Use 12/ })).toBeNull();
  });

  it('advises beside the field, also where it is folded away, and calmly', async () => {
    const advice = [
      { loc: ['strategy'], text: { en: 'all-reduce would be faster', zh: 'All-Reduce 更快' } },
      { loc: ['checkpoint', 'path'], text: { en: 'save now and then', zh: '请不时保存' } },
    ];
    await open('/jobs/new?example=gpu', { 'POST jobs/check': { ...good, advice } });
    await screen.findByRole('option', { name: 'PyTorch' });
    await choose('Framework', 'pytorch');
    await waitFor(() => expect(describes(screen.getByRole('combobox', { name: 'Strategy' }))).toContain('all-reduce would be faster'));
    screen.getByText('save now and then');
    await user.click(screen.getByRole('button', { name: /^Checkpoint/ }));
    expect(describes(screen.getByLabelText('Folder'))).toContain('save now and then');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is not asked of a workspace', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByRole('option', { name: 'PyTorch' });
    await choose('Framework', 'pytorch');
    await user.click(screen.getByRole('radio', { name: 'Workspace' }));
    expect(file()).not.toContain('framework');
    expect(screen.queryByRole('combobox', { name: 'Framework' })).toBeNull();
  });
});

describe('when things go wrong', () => {
  it('every trouble has the remedies that make sense, and what the framework does is told', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByRole('option', { name: 'PyTorch' });
    screen.getByRole('button', { name: /^Restart never: any failure ends the job/ });
    await choose('Framework', 'pytorch');
    await user.click(
      screen.getByRole('button', { name: /^Restart A node is lost: queue again · It hangs: restart the job · at most 3 times/ }),
    );
    expect(options('It is evicted')).toEqual(['default: queue again', 'queue again', 'fail the job', 'complete the job']);
    expect(options('It hangs')[0]).toBe('default: restart the job');
    await choose('A task fails', 'restart_task');
    await user.type(screen.getByLabelText('Wait before a restart'), '1m');
    await user.type(screen.getByLabelText('Counts as hung after'), '0s');
    expect(file()).toContain('on:\n  task_failed: restart_task\nbackoff:\n  first: 1m\nhang_after: 0s\n');
    await choose('A task fails', '');
    expect(file()).not.toContain('on:');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('a role may differ from the job, in its image too', async () => {
    await open('/jobs/new?example=roles');
    await user.click(role('ps').getByRole('button', { name: /^Restart same as the job/ }));
    await user.selectOptions(role('ps').getByRole('combobox', { name: 'A task fails' }), 'restart_task');
    await user.click(role('ps').getByLabelText(/^Only serves the others/));
    await user.click(role('ps').getByRole('button', { name: /^Image the job's image/ }));
    await user.type(role('ps').getByLabelText('Image'), 'python:3.12');
    expect(role('ps').queryByRole('combobox', { name: 'It hangs' })).toBeNull();
    expect(file()).toMatch(/on:\n {6}task_failed: restart_task\n {4}serves: true\n {4}image: python:3\.12\n/);
  });
});

describe('the examples of the server', () => {
  it('stand beside those built in, and are submitted as they stand', async () => {
    const { calls, address } = await open();
    await user.click(screen.getByRole('button', { name: 'All examples…' }));
    const shown = within(await screen.findByRole('group', { name: 'Frameworks' }));
    await user.click(shown.getByRole('button', { name: /^PyTorch/ }));
    await waitFor(() => expect(file()).toBe(served.file));
    expect(address()).toBe('/jobs/new?example=pytorch');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(sent(calls)[0]?.body).toMatchObject({ framework: 'pytorch', code: { archive: 'a'.repeat(64) } }));
  });

  it('are told in the language of the reader, and wait for the server', async () => {
    await activateLocale('zh-CN');
    openConsole('/jobs/new?example=pytorch', answers);
    expect(await screen.findByText('PyTorch 训练')).toBeTruthy();
  });

  it('are not needed', async () => {
    openConsole('/jobs/new?example=pytorch', { ...answers, 'GET examples': undefined });
    expect(await screen.findByText('Blank')).toBeTruthy();
  });
});
