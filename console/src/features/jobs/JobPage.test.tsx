import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { detail, reason, session } from '@/testing/samples';

const log = { lines: [{ offset: 0, time: '2026-05-01T10:01:00Z', stream: 'o', text: 'epoch 1' }], next_offset: 40, end: true };

function open(address: string, job = detail(), more: Record<string, unknown> = {}) {
  return openConsole(address, { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/logs': log, ...more });
}

describe('the job page', () => {
  beforeEach(() => {
    vi.stubGlobal('EventSource', class extends EventTarget {
      close(): void {}
    });
  });

  it('explains a failure: what happened, what it means, what to do', async () => {
    open('/jobs/j1', detail({ state: 'failed', reason, ended_at: '2026-05-01T11:00:00Z', actions: ['start', 'clone', 'delete'] }));
    expect(await screen.findByText('worker-0 ended with exit code 1')).toBeTruthy();
    expect(screen.getByText('The program reported an error.')).toBeTruthy();
    expect(screen.getByText('Read the end of its log.')).toBeTruthy();
    await screen.findByText('epoch 1');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('explains it in Chinese as well', async () => {
    await activateLocale('zh-CN');
    open('/jobs/j1', detail({ state: 'failed', reason }));
    expect(await screen.findByText('程序报告了错误。')).toBeTruthy();
  });

  it('says why a job waits', async () => {
    const waiting = { ...reason, code: 'not_enough_gpus', text: { en: 'needs 32 A100, 3 are free', zh: '需要 32 张 A100' } };
    open('/jobs/j1', detail({ state: 'queued', waiting, started_at: null, attempt: 0, tasks: [], attempts: [] }));
    expect(await screen.findByText('needs 32 A100, 3 are free')).toBeTruthy();
    expect(screen.getByText('No output yet')).toBeTruthy();
  });

  it('offers what the server allows and nothing else', async () => {
    open('/jobs/j1', detail({ actions: ['stop', 'levitate'] }));
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull();
  });

  it('opens the log of the task in the address', async () => {
    const { calls } = open('/jobs/j1?task=worker-1');
    await screen.findByText('epoch 1');
    expect(calls.find((call) => call.path === 'jobs/j1/logs')!.query.get('task')).toBe('worker-1');
  });

  it('goes from a task to its log', async () => {
    const { address } = open('/jobs/j1?tab=tasks');
    fireEvent.click(await screen.findByRole('button', { name: 'worker-1' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=logs&task=worker-1'));
  });

  it('lists the events', async () => {
    const event = { seq: 1, time: '2026-05-01T10:00:00Z', kind: 'job_created', job_id: 'j1', actor: 'lin', data: {}, text: { en: 'Created', zh: '已创建' } };
    open('/jobs/j1?tab=events', detail(), { 'GET jobs/j1/events': { items: [event], next_cursor: null } });
    expect(await screen.findByText('Created', { selector: 'li *' })).toBeTruthy();
  });

  it('says that there is no such job', async () => {
    open('/jobs/j1', detail(), { 'GET jobs/j1': new Refusal(404, { detail: 'gone' }) });
    expect(await screen.findByText('No such job')).toBeTruthy();
  });
});
