import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DanluEvent } from '@/api/types';
import type { TaskUsage } from '@/api/usage';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { detail, reason, row, session, task } from '@/testing/samples';

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

describe('the other parts of the job page', () => {
  it('are the tasks, with ways to their logs, plots and terminals', async () => {
    const { address } = open('/jobs/j1?tab=tasks', detail({ actions: ['exec'] }));
    expect((await screen.findByRole('link', { name: 'a100-2' })).getAttribute('href')).toBe('/nodes/a100-2');
    expect(screen.getByRole('button', { name: 'Open a terminal in worker-1' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'worker-1' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=logs&task=worker-1'));
  });

  it('are the runs of its name, each a job of its own', async () => {
    const items = [row({ id: 'j2', run: 2, state: 'failed', reason }), row({ id: 'j1', run: 1, state: 'completed' })];
    open('/jobs/j1?tab=runs', detail(), { 'GET jobs/j1/runs': { items } });
    expect((await screen.findByRole('link', { name: 'Run 2' })).getAttribute('href')).toBe('/jobs/j2');
    expect(within(screen.getByRole('list', { name: 'Runs' })).getByText(/this one/)).toBeTruthy();
    expect(screen.getByText(reason.text.en)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are many tasks too, found by node', async () => {
    const tasks = Array.from({ length: 256 }, (_, index) => task({ name: `worker-${index}`, index, node: `node-${index % 32}` }));
    open('/jobs/j1?tab=tasks', detail({ tasks }));
    fireEvent.change(await screen.findByRole('searchbox', { name: 'Find by task, node or state' }), { target: { value: 'node-31' } });
    expect(await screen.findByText('8 of 256')).toBeTruthy();
  });

  it('are the events by attempt, of one sort if wanted', async () => {
    const events = [
      event(1, 'job_created', {}, 'created'),
      event(2, 'placed', { attempt: 1 }, 'placed first'),
      event(3, 'state_changed', { to: 'failed' }, 'it failed'),
      event(4, 'placed', { attempt: 2 }, 'placed again'),
    ];
    const { address } = open('/jobs/j1?tab=events', detail(), { 'GET jobs/j1/events': { items: events, next_cursor: null } });
    const second = await screen.findByRole('region', { name: 'Attempt 2' });
    expect(within(second).getByText('placed again')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('radio', { name: 'What people did' }));
    await waitFor(() => expect(screen.queryByText('placed again')).toBeNull());
    expect(address()).toBe('/jobs/j1?tab=events&about=people');
  });

  it('are plots that say so when nothing was measured', async () => {
    open('/jobs/j1?tab=plots', detail({ state: 'completed', ended_at: '2026-05-01T10:30:00Z' }), {
      'GET jobs/j1/usage': { items: [], measured_every: 5000 },
    });
    expect(await screen.findByText('Nothing was measured')).toBeTruthy();
  });

  it('are plots of each task, with GPUs that cannot be measured named', async () => {
    const values = { mean: [1, 2], high: [1, 3] };
    const usage = (name: string): TaskUsage => ({
      task: name,
      node: 'a100-1',
      attempt: 1,
      times: [0, 5000],
      cpus: values,
      memory: values,
      gpus: [],
      cpus_given: 4,
      memory_given: 8,
      gpus_given: [0],
    });
    open('/jobs/j1?tab=plots&plots=each', detail({ state: 'completed' }), {
      'GET jobs/j1/usage': { items: [usage('worker-0'), usage('worker-1')], measured_every: 5000 },
    });
    expect(await screen.findByRole('figure', { name: 'CPU cores · worker-1' })).toBeTruthy();
    expect(screen.getByText('The GPUs are not measured')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are no terminal for those who may not enter', async () => {
    open('/jobs/j1?tab=terminal', detail({ actions: ['stop'] }));
    expect(await screen.findByText('You are not allowed to open a terminal in this job')).toBeTruthy();
  });

  it('are no terminal when nothing runs', async () => {
    open('/jobs/j1?tab=terminal', failed);
    expect(await screen.findByText('No task is running')).toBeTruthy();
  });

  it('are what a copy changed', async () => {
    const copy = detail({
      cloned_from: { id: 'j0', name: 'bert' },
      spec: { kind: 'training', name: 'bert-copy', command: 'python train.py' },
    });
    open('/jobs/j1?tab=spec&compare=on', copy, {
      'GET jobs/j0': detail({ id: 'j0', name: 'bert', spec: { kind: 'training', name: 'bert', command: 'python train.py' } }),
    });
    const changes = await screen.findByRole('region', { name: 'Changes from bert' });
    expect(changes.querySelector('ins')!.textContent).toContain('name: bert-copy');
    expect(changes.querySelector('del')!.textContent).toContain('name: bert');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('say that the source of a copy is gone', async () => {
    open('/jobs/j1?tab=spec&compare=on', detail({ cloned_from: { id: 'j0', name: 'bert' } }));
    expect(await screen.findByText('bert no longer exists')).toBeTruthy();
  });
});
