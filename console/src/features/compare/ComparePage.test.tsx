import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JobMetrics } from '@/api/metrics';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { detail, session } from '@/testing/samples';
import { joinedSeries, lastValues } from './joined';
import { compareSearch } from './search';

const line = { role: 'worker', task: 'worker-0', attempt: 1, steps: [1, 2], times: [10, 20], low: [1, 2], high: [1, 2] };
const told = (...names: string[]): JobMetrics => ({
  names: names.map((name) => ({ name, tasks: ['worker-0'], last: { step: 2, time: 20, value: 0.25 } })),
  series: names.map((name) => Object.assign({}, line, { name, values: [0.5, 0.25] })),
  latest_step: 2,
  total_steps: null,
  throughput: { steps_per_second: null, over_ms: 0 },
  gpu: { busy: null },
  hint: null,
});
const job = (id: string, rate: string) =>
  detail({ id, name: `sweep-${id}`, spec: { kind: 'training', name: `sweep-${id}`, command: 'python train.py', env: { LR: rate } } });
const world = {
  'GET session': session,
  'GET jobs/a': job('a', '0.1'),
  'GET jobs/b': job('b', '0.3'),
  'GET jobs/a/metrics': told('loss', 'lr'),
  'GET jobs/b/metrics': told('loss'),
};

describe('the comparison of jobs', () => {
  it('draws a metric of all in one chart, and says first what differs', async () => {
    openConsole('/compare?job=a&job=b', world);
    const loss = await screen.findByRole('figure', { name: 'loss' });
    expect(within(loss).getByText('sweep-a')).toBeTruthy();
    expect(within(loss).getByText('sweep-b')).toBeTruthy();
    const differs = screen.getByRole('region', { name: 'What differs' });
    expect(within(differs).getByRole('row', { name: 'env.LR 0.1 0.3' })).toBeTruthy();
    expect(within(differs).queryByText('command')).toBeNull();
    expect(screen.getByText('2 parameters are the same')).toBeTruthy();
    expect(screen.getByRole('row', { name: 'lr 0.25 not set' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('keeps in its address how they are drawn', async () => {
    const { address } = openConsole('/compare?job=a&job=b', world);
    fireEvent.click(await screen.findByRole('button', { name: 'Log scale' }));
    await waitFor(() => expect(address()).toBe('/compare?job=a&job=b&scale=log'));
  });

  it('names those that are gone and compares the others', async () => {
    openConsole('/compare?job=a&job=b&job=c', { ...world, 'GET jobs/c': new Refusal(404, { detail: 'gone' }) });
    expect(await screen.findByText('These jobs do not exist, or you may not see them: c')).toBeTruthy();
    expect(await screen.findByRole('figure', { name: 'loss' })).toBeTruthy();
  });

  it('of one job says how to choose more', async () => {
    openConsole('/compare?job=a', world);
    expect(await screen.findByText('Choose at least two jobs')).toBeTruthy();
  });
});

describe('the lines of several jobs', () => {
  it('have one colour per job in every chart, whoever told what', () => {
    const jobs = [job('a', '1'), job('b', '2')];
    expect(joinedSeries(jobs, [told('loss'), told('acc', 'loss')]).map(({ name, task, colour }) => [name, task, colour])).toEqual([
      ['loss', 'sweep-a', 0],
      ['acc', 'sweep-b', 1],
      ['loss', 'sweep-b', 1],
    ]);
  });

  it('of jobs of one name are told apart', () => {
    const twins = [detail({ id: 'a', owner: 'lin' }), detail({ id: 'b', owner: 'chen' })];
    expect(joinedSeries(twins, [told('loss'), told('loss')]).map(({ task }) => task)).toEqual([
      'bert-pretrain (lin, a)',
      'bert-pretrain (chen, b)',
    ]);
  });

  it('end in values side by side', () => {
    expect(lastValues([told('loss'), undefined])).toEqual([{ name: 'loss', values: ['0.25', undefined] }]);
  });
});

it('an address names each job once, ten at most', () => {
  expect(compareSearch({ job: ['a', 'a', 'b'], smooth: '120' })).toEqual({ job: ['a', 'b'], scale: undefined, smooth: undefined });
  expect(compareSearch({ job: Array.from({ length: 20 }, (_, at) => `j${at}`) }).job).toHaveLength(10);
});
