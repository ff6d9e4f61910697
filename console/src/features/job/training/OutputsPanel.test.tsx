import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JobOutput } from '@/api/outputs';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { detail, session } from '@/testing/samples';
import { tabsFor } from '../parts';

const log = { lines: [], next_offset: 0, end: true };
const outputs = [{ path: 'out', dataset: 'lin:features' }];
const ended = detail({ state: 'completed', ended_at: '2026-05-01T10:30:00Z', spec: { ...detail().spec, outputs } });

function output(part: Partial<JobOutput>): JobOutput {
  return {
    id: 'j1-1-0',
    attempt: 1,
    path: 'out',
    task: 'worker-0',
    always: false,
    dataset: null,
    tag: null,
    version: null,
    to: null,
    target: '',
    state: 'pending',
    files: 0,
    bytes: 0,
    bytes_total: null,
    problem: null,
    created_at: '2026-05-01T10:30:00Z',
    ended_at: null,
    can_retry: false,
    ...part,
  };
}

const problem = {
  code: 'over_quota',
  params: {},
  text: { en: 'it does not fit', zh: '放不下' },
  advice: { en: 'ask for more', zh: '请申请更多' },
};
const items = [
  output({ dataset: 'lin:features', tag: 'clean', version: 'v2', target: 'lin:features@v2', state: 'done', files: 3, bytes: 2048 }),
  output({ id: 'j1-1-1', path: 'best', to: 'lin:models:/bert/', target: 'lin:models:/bert/', state: 'failed', problem, can_retry: true }),
  output({
    id: 'j1-1-2',
    path: 'log',
    to: 'personal:/log.txt',
    target: 'personal:/log.txt',
    state: 'making',
    bytes: 512,
    bytes_total: 1024,
  }),
  output({ id: 'j1-1-3', path: 'rest', to: 'personal:/x/', target: 'personal:/x/', state: 'skipped' }),
];
const open = (job = ended, found = items) =>
  openConsole('/jobs/j1?tab=outputs', {
    'GET session': session,
    'GET jobs/j1': job,
    'GET jobs/j1/logs': log,
    'GET jobs/j1/outputs': { items: found },
    'POST jobs/j1/outputs/retry': { items: found },
  });

describe('the outputs of a job', () => {
  it('lead to what was made of them, tell how far they are, why not, and are made again', async () => {
    const { calls } = open();
    const table = within(await screen.findByRole('region', { name: 'Outputs' }));
    expect(table.getByRole('link', { name: 'lin:features@v2' }).getAttribute('href')).toContain('version=v2');
    expect(table.getByRole('link', { name: 'lin:models:/bert/' }).getAttribute('href')).toContain('path=bert');
    expect(table.getByRole('progressbar', { name: 'How far' }).getAttribute('value')).toBe('50');
    expect(screen.getByText('it does not fit · ask for more')).toBeTruthy();
    expect(table.queryByRole('link', { name: 'personal:/log.txt' }) === null).toBe(ended.owner !== session.user.name);
    expect(table.getByText('Not made: the job was not completed')).toBeTruthy();
    expect(table.getAllByRole('button', { name: /again/ })).toHaveLength(1);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(table.getByRole('button', { name: 'Make best again' }));
    await waitFor(() => expect(JSON.stringify(calls)).toContain('outputs/retry'));
  });

  it('are shown only of jobs that declare some', async () => {
    open(detail(), []);
    await screen.findByText('This job keeps nothing of its working folder');
    expect(tabsFor(detail(), 'files').flatMap(({ parts }) => parts)).not.toContain('outputs');
    expect(tabsFor(ended, 'files').flatMap(({ parts }) => parts)).toContain('outputs');
  });
});
