import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { isChosen, isDisabled, setWidth, valueOf } from '@/testing/fields';
import { answers, file, fill, good, index, open, user, write } from '../testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

describe('the form and the file', () => {
  it('say the same, whichever is written', async () => {
    await open();
    await fill('Name *', 'bert-large');
    await user.type(screen.getByLabelText('Command *'), 'a{Enter}b');
    expect(file()).toBe('kind: training\nname: bert-large\ncommand: |\n  a\n  b\n');

    await write('# mine\nkind: training\nname: from-the-file\ncommand: ls\nresources: {gpus: 2} # two\nfuture: 1\n');
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('from-the-file');
    expect(valueOf(screen.getByLabelText('GPUs'))).toBe('2');
    screen.getByText(/unchanged: future/);
    await fill('CPUs', '16');
    expect(file()).toBe('# mine\nkind: training\nname: from-the-file\ncommand: ls\nresources: {gpus: 2, cpus: 16} # two\nfuture: 1\n');
  });

  it('agree on the network', async () => {
    await open();
    await write('kind: training\nname: alone\ncommand: ls\nnetwork: none\n');
    await user.click(screen.getByRole('button', { name: /Which machines.*network: none/ }));
    expect(valueOf(screen.getByLabelText('Network'))).toBe('none');
    await user.selectOptions(screen.getByLabelText('Network'), 'package registries and Git hosts');
    expect(file()).toContain('network: registries\n');
    await user.selectOptions(screen.getByLabelText('Network'), 'as usual here');
    expect(file()).toBe('kind: training\nname: alone\ncommand: ls\n');
  });

  it('keep the form readable, and what was typed, while the file is broken', async () => {
    await open();
    await fill('Name *', 'bert-large');
    await write('kind: training\nname: "bert-lar\ncommand: ls\n');
    screen.getByText(/Line 2 of the file cannot be read/, { selector: 'div' });
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('bert-large');
    expect(isDisabled(screen.getByLabelText('Name *'))).toBe(true);
    expect(file()).toContain('"bert-lar\n');
    await user.click(screen.getByRole('button', { name: 'Go to the line' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Job file'));
    await write('kind: training\nname: mended\ncommand: ls\n');
    expect(isDisabled(screen.getByLabelText('Name *'))).toBe(false);
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('mended');
  });

  it('are tabs on a narrow screen', async () => {
    setWidth(900);
    openConsole('/jobs/new', answers);
    await user.type(await screen.findByLabelText('Name *'), 'narrow-one');
    expect(screen.queryByRole('textbox', { name: 'Job file' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Job file' }));
    expect(valueOf(await screen.findByRole('textbox', { name: 'Job file' }))).toContain('narrow-one');
    await user.click(screen.getByRole('tab', { name: 'Form' }));
    expect(valueOf(screen.getByLabelText('Name *'))).toBe('narrow-one');
    expect(await accessibilityProblems()).toEqual([]);
  });
});

/** What is said below a field. */
const describing = (label: string): string => screen.getByLabelText(label).closest('[class*="field"]')!.textContent;

describe('the form shows what applies', () => {
  it('from one machine over several and a total to roles', async () => {
    await open('/jobs/new?example=gpu');
    expect(screen.queryByLabelText('Machines *')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Several machines' }));
    expect(valueOf(screen.getByLabelText('Machines *'))).toBe('2');
    screen.getByText(/at most 20 fit/);
    await user.click(screen.getByRole('radio', { name: 'Total GPUs' }));
    expect(screen.queryByLabelText('Machines *')).toBeNull();
    expect(valueOf(screen.getByLabelText('GPUs in total'))).toBe('2');
    expect(file()).toContain('nodes: auto');
    await user.click(screen.getByRole('radio', { name: 'Roles' }));
    screen.getByRole('group', { name: 'Role master' });
    expect(file()).not.toContain('nodes:');
    await user.click(screen.getByRole('button', { name: 'Add a role' }));
    const worker = screen.getByRole('group', { name: 'Role worker' });
    await user.clear(within(worker).getByLabelText('Tasks'));
    await user.type(within(worker).getByLabelText('Tasks'), '3');
    await user.click(screen.getByRole('button', { name: 'Remove role ps' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a role' }));
    expect(file()).toMatch(/roles:\n {2}- name: master\n {2}- name: worker\n {4}replicas: 3\n/);
    await user.click(screen.getByRole('radio', { name: 'One machine' }));
    await user.click(screen.getByRole('radio', { name: 'Roles' }));
    expect(file()).toContain('replicas: 3');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('a workspace needs no command, no machines to count and no policy', async () => {
    await open('/jobs/new?example=distributed');
    index().getByRole('button', { name: /On failure/ });
    await write('kind: training\nname: two-together\nnodes: 2\ncommand: ls\n');
    await user.click(screen.getByRole('radio', { name: 'Workspace' }));
    expect(file()).toBe('kind: workspace\nname: two-together\ncommand: ls\n');
    expect(screen.queryByRole('radio', { name: 'Several machines' })).toBeNull();
    expect(screen.getByLabelText('Command').getAttribute('aria-required')).not.toBe('true');
    expect(index().queryByRole('button', { name: /On failure/ })).toBeNull();
  });

  it('bounds and proposals come from the machines that are there', async () => {
    await open('/jobs/new?example=gpu');
    await screen.findByText(/^At most 8 per machine/);
    await user.click(screen.getByRole('button', { name: /H100 4 of 4 free/ }));
    screen.getByText(/^At most 4 per machine/);
    expect(file()).toContain('gpu: H100');
    await user.click(screen.getByRole('button', { name: /A100/ }));
    expect(file()).toContain('gpu: H100|A100');
    await user.click(screen.getByRole('button', { name: 'Any' }));
    await user.click(within(screen.getByRole('group', { name: 'Common numbers of GPUs' })).getByRole('button', { name: '4' }));
    expect(file()).toContain('gpus: 4');
  });

  it('what goes with GPUs is said where the file leaves it out', async () => {
    const given = [{ loc: ['resources'], cpus: 30, memory: 243 * 2 ** 30, shm: 121 * 2 ** 30 }];
    await open('/jobs/new?example=gpu', { 'POST jobs/check': { ...good, given } });
    await write('kind: training\nname: four-cards\ncommand: ls\nresources: {gpus: 4}\n');
    await screen.findByText(/goes with 4 GPUs: 30 CPUs, 243 GiB, of it 121 GiB shared memory/);
    expect(describing('CPUs')).toContain('empty: 30');
    expect(describing('Memory')).toContain('empty: 243 GiB');
  });

  it('a flavor is offered where one is for such jobs', async () => {
    await open('/jobs/new?example=gpu');
    await user.click(await screen.findByRole('radio', { name: 'Flavor' }));
    expect(isChosen(await screen.findByRole('radio', { name: /^a100-1/ }))).toBe(true);
    expect(file()).toContain('flavor: a100-1');
    expect(file()).not.toContain('resources');
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    expect(valueOf(screen.getByLabelText('Memory'))).toBe('64GiB');
    await user.click(screen.getByRole('radio', { name: 'Several machines' }));
    expect(screen.queryByRole('radio', { name: 'Flavor' })).toBeNull();
  });

  it('each flavor says what to expect of it now', async () => {
    const size = { resources: { cpus: 8, memory: '64GiB', gpus: 1, gpu: 'A100', shm: '0B', rdma: false }, classes: [], description: '' };
    const offer = { behind: null, text: null, recommended: false };
    const items = [
      { ...offer, flavor: { ...size, name: 'small' }, state: 'available', recommended: true },
      {
        ...offer,
        flavor: { ...size, name: 'large' },
        state: 'waits',
        behind: 3,
        text: { en: 'behind 3 jobs for A100', zh: '排在 3 个任务之后' },
      },
    ];
    const { calls } = await open('/jobs/new?example=gpu', { 'GET flavors/offers': { at: '2026-05-01T10:00:00Z', items } });
    await user.click(await screen.findByRole('radio', { name: 'Flavor' }));
    const small = await screen.findByRole('radio', { name: /^small/ });
    expect(small.closest('label')!.textContent).toBe('small recommended1 × A100 · 8 CPU · 64 GiB available now');
    expect(screen.getByRole('radio', { name: /^large/ }).closest('label')!.textContent).toContain('would wait behind 3 jobs');
    expect(screen.getByText('No node can hold a100-1 for this kind of job now.')).toBeTruthy();
    await user.click(small);
    expect(file()).toContain('flavor: small');
    expect(calls.find(({ path }) => path === 'flavors/offers')!.query.toString()).toBe('class=single&project=public&count=1');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('a priority that needs a reason asks for it', async () => {
    const urgent = {
      name: 'urgent',
      value: 900,
      may_preempt: true,
      may_be_preempted: false,
      groups: [],
      projects: [],
      description: '',
      needs_reason: true,
      budget: 100,
    };
    await open('/jobs/new', { 'GET priorities': { items: [urgent, { ...urgent, name: 'normal', value: 200, needs_reason: false }] } });
    await screen.findByRole('option', { name: 'urgent' });
    expect(screen.queryByLabelText('Reason for the priority *')).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Priority' }), 'urgent');
    await fill('Reason for the priority *', 'the deadline is tonight');
    expect(file()).toContain('priority: urgent\njustification: the deadline is tonight');
  });

  it('priorities of others are not offered', async () => {
    await open();
    await screen.findByRole('option', { name: 'normal' });
    expect(screen.queryByRole('option', { name: 'high' })).toBeNull();
  });

  it('what is folded says in a line what it holds', async () => {
    await open('/jobs/new?example=resilient');
    screen.getByRole('button', { name: /^Restart A task fails: restart the job · A node is lost: queue again · at most 5 times/ });
    screen.getByRole('button', { name: /^Checkpoint \/tmp\/keeps-going, 1m to save/ });
    await user.click(screen.getByRole('button', { name: /^Environment variables none/ }));
    await user.click(screen.getByRole('button', { name: 'Add a variable' }));
    await user.keyboard('LR{Tab}0.1');
    expect(file()).toContain('env:\n  LR: "0.1"\n');
    await user.clear(screen.getByLabelText('Variable: name'));
    await user.type(screen.getByLabelText('Variable: name'), 'RATE{Tab}');
    expect(file()).toContain('RATE: "0.1"');
    await user.click(screen.getByRole('button', { name: 'Remove RATE' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a variable' }));
    expect(file()).not.toContain('env');
  });

  it('a bare number of memory means GiB', async () => {
    await open();
    await fill('Memory', '64');
    expect(file()).toContain('memory: 64GiB');
  });
});
