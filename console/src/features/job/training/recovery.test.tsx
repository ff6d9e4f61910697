/** What is told of attempts, checkpoints, restarts and stacks. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Saved } from '@/api/jobs';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { attempt, detail, reason, session, task } from '@/testing/samples';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

const saved: Saved = { path: '/data/ckpt/step-1200.pt', step: 1200, at: '2026-05-01T10:30:00Z', attempt: 1 };
const story = { en: 'worker-1’s node was lost; the job queued again from checkpoint step 1,200', zh: '节点失联；任务已重新排队' };
const first = attempt({ state: 'failed', reason, ended_at: '2026-05-01T11:00:00Z', story, saved, lost: 9000 });
const again = detail({ attempt: 2, attempts: [first, attempt({ number: 2, resumed: saved })], saved, lost: 9000 });
const failed = detail({
  ...again,
  state: 'failed',
  reason,
  ended_at: '2026-05-01T12:00:00Z',
  actions: ['start', 'restart', 'edit', 'clone'],
});

function open(address: string, job = again, more: Record<string, unknown> = {}) {
  return openConsole(address, { 'GET session': session, 'GET jobs/j1': job, ...more });
}

describe('the attempts of a job', () => {
  it('tell what happened, what was saved and what is gone', async () => {
    open('/jobs/j1?tab=attempts');
    const list = await screen.findByRole('list', { name: 'Attempts' });
    const [second, lost] = within(list).getAllByRole('listitem');
    expect(within(second!).getByText('Resumed from').parentElement!.textContent).toBe('Resumed fromstep 1,200');
    expect(within(second!).queryByText('Work lost')).toBeNull();
    expect(within(lost!).getByText(story.en)).toBeTruthy();
    expect(within(lost!).getByText('2.5 GPU-hours')).toBeTruthy();
    expect(within(lost!).getByText(/step 1,200/, { selector: 'dd' })).toBeTruthy();
    expect(within(lost!).getByRole('link', { name: 'Logs' }).getAttribute('href')).toBe('/jobs/j1?tab=logs&attempt=1');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are none before it ran', async () => {
    open('/jobs/j1?tab=attempts', detail({ state: 'queued', attempt: 0, attempts: [] }));
    expect(await screen.findByText('No attempts yet')).toBeTruthy();
  });

  it('leave a checkpoint, with its path to copy', async () => {
    open('/jobs/j1?tab=attempts');
    fireEvent.click(await screen.findByRole('button', { name: 'Show the facts' }));
    expect(await screen.findByText('Checkpoint of step 1,200')).toBeTruthy();
    expect(screen.getByText('/data/ckpt/step-1200.pt')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy the path of the checkpoint' })).toBeTruthy();
  });
});

describe('a job that failed', () => {
  it('tells the story of its last attempt and goes on from its checkpoint', async () => {
    const end = { en: 'worker-0 ended with exit code 1; the job failed', zh: '' };
    const { calls } = open('/jobs/j1', detail({ ...failed, attempts: [first, attempt({ number: 2, state: 'failed', story: end })] }), {
      'POST jobs/j1/start': failed,
    });
    expect(await screen.findByText(end.en)).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Resume from step 1,200' }));
    await waitFor(() => expect(calls.find(({ path }) => path === 'jobs/j1/start')).toBeTruthy());
    expect(calls.find(({ path }) => path === 'jobs/j1/start')!.body).toBeUndefined();
  });

  it('begins anew only after a question', async () => {
    const { calls } = open('/jobs/j1', failed, { 'POST jobs/j1/start': failed });
    fireEvent.click(await screen.findByRole('button', { name: 'Start from the beginning' }));
    const dialog = await screen.findByRole('dialog', { name: 'Restart bert-pretrain from the beginning?' });
    expect(calls.some(({ path }) => path === 'jobs/j1/start')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(calls.find(({ path }) => path === 'jobs/j1/start')?.body).toEqual({ fresh: true }));
  });

  it('without a checkpoint is just started again', async () => {
    open('/jobs/j1', { ...failed, saved: null });
    expect(await screen.findByRole('button', { name: 'Start again' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Start from the beginning' })).toBeNull();
  });

  it('is first edited where starting again would fail again, and shows what to type as it stands', async () => {
    const advice = { en: 'Add `code: .` to the job file.', zh: '' };
    open('/jobs/j1', { ...failed, saved: null, actions: ['start', 'edit', 'clone'], reason: { ...reason, code: 'no_code', advice } });
    const start = await screen.findByRole('button', { name: 'Start again' });
    const edit = screen.getAllByRole('link', { name: 'Edit it' }).at(-1)!;
    expect(edit.compareDocumentPosition(start) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(screen.getByText('code: .').tagName).toBe('CODE');
  });

  it('because it hung leads to where it stood', async () => {
    open('/jobs/j1', { ...failed, reason: { ...reason, code: 'hung' } });
    expect((await screen.findByRole('link', { name: 'See its stacks' })).getAttribute('href')).toBe('/jobs/j1?tab=stacks');
  });
});

it('a running job is restarted from the beginning from its menu', async () => {
  const { calls } = open('/jobs/j1', again, { 'POST jobs/j1/restart': again });
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Restart from the beginning' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restart' }));
  await waitFor(() => expect(calls.find(({ path }) => path === 'jobs/j1/restart')?.body).toEqual({ fresh: true }));
});

describe('where the tasks stand', () => {
  const stack = {
    task: 'worker-0',
    attempt: 1,
    taken_at: '2026-05-01T11:00:00Z',
    text: 'Thread 1\n  all_reduce (dist.py:12)\n',
    cause: 'hung' as const,
  };
  const runs = detail({ actions: ['exec', 'stop'] });

  it('is shown for each task, with its text to copy', async () => {
    open('/jobs/j1?tab=stacks', runs, {
      'GET jobs/j1/stacks': {
        items: [{ ...stack, task: 'worker-1', cause: 'asked' }, stack, { ...stack, taken_at: '2026-05-01T10:00:00Z' }],
      },
    });
    expect((await screen.findByRole('region', { name: 'Stacks of worker-0' })).textContent).toContain('all_reduce (dist.py:12)');
    expect(screen.getAllByText(/when it hung/)).toHaveLength(2);
    expect(screen.getAllByRole('region', { name: /^Stacks of/ }).map((region) => region.getAttribute('aria-label'))).toEqual([
      'Stacks of worker-0',
      'Stacks of worker-1',
    ]);
    expect(screen.getByRole('button', { name: 'Copy the stacks of worker-1' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is looked at on demand', async () => {
    let items: unknown[] = [];
    const take = () => {
      items = [{ ...stack, cause: 'asked' }];
      return { items };
    };
    open('/jobs/j1?tab=stacks', runs, { 'GET jobs/j1/stacks': () => ({ items }), 'POST jobs/j1/stacks': take });
    fireEvent.click(await screen.findByRole('button', { name: 'Take stacks' }));
    expect(await screen.findByRole('region', { name: 'Stacks of worker-0' })).toBeTruthy();
  });

  it('that cannot be found out is explained', async () => {
    open('/jobs/j1?tab=stacks', runs, {
      'GET jobs/j1/stacks': { items: [] },
      'POST jobs/j1/stacks': new Refusal(503, { detail: 'simulated tasks have no stacks' }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Take stacks' }));
    expect(await screen.findByText('simulated tasks have no stacks')).toBeTruthy();
  });

  it('is nothing to ask of a job that is done, or by those who may not enter', async () => {
    open('/jobs/j1?tab=stacks', detail({ state: 'completed', actions: [] }), { 'GET jobs/j1/stacks': { items: [] } });
    expect(await screen.findByText(/taken of running tasks/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Take stacks' })).toBeNull();
  });
});

describe('tasks that were restarted', () => {
  it('say how often, and until when they wait', async () => {
    const soon = new Date(Date.now() + 300_000).toISOString();
    open(
      '/jobs/j1?tab=tasks',
      detail({
        tasks: [
          task({ tries: 2, run: 'worker-0-r2' }),
          task({ name: 'worker-1', index: 1, state: 'pending', tries: 1, run: 'worker-1-r1', not_before: soon }),
        ],
      }),
    );
    expect((await screen.findByText('restarted 2 times')).title).toBe('The current try is called worker-0-r2');
    expect(screen.getByText(/starts again in \dm/)).toBeTruthy();
    expect(screen.getByText('restarted once')).toBeTruthy();
  });
});

describe('the configuration of a training', () => {
  it('says in words what is done about trouble', async () => {
    const spec = {
      kind: 'training',
      name: 'x',
      framework: 'pytorch',
      hang_after: '1h',
      processes: 4,
      on: { node_lost: 'requeue' },
      backoff: { first: '30s' },
      roles: [{ name: 'ps', on: { task_failed: 'restart_task' } }],
    };
    open('/jobs/j1?tab=spec', detail({ framework: 'pytorch', strategy: 'all-reduce', spec }));
    expect(await screen.findByText('PyTorch · all-reduce')).toBeTruthy();
    expect(screen.getByText('after 1h without activity')).toBeTruthy();
    expect(screen.getByText('4 per task')).toBeTruthy();
    expect(screen.getByText(/at most 3 times, the first after 30s/)).toBeTruthy();
    const sentences = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(sentences).toContain('node lost → queue again');
    expect(sentences).toContain('ps: a task failed → restart the task');
    expect(await accessibilityProblems()).toEqual([]);
  });
});
