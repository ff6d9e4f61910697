import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JobMetrics, MetricSeries } from '@/api/metrics';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { attempt, detail, session } from '@/testing/samples';

function series(name: string, task = 'worker-0', values: (number | null)[] = [3, 2, 1]): MetricSeries {
  return { name, role: 'worker', task, attempt: 1, steps: [10, 20, 30], times: [1000, 2000, 3000], values, low: values, high: values };
}

const named = (name: string, tasks = ['worker-0'], value: number | null = 1) => ({ name, tasks, last: { step: 1200, time: 3000, value } });

function told(part: Partial<JobMetrics> = {}): JobMetrics {
  return {
    names: [named('loss'), named('lr'), named('val_loss')],
    series: [series('loss'), series('lr'), series('val_loss')],
    latest_step: 1200,
    total_steps: null,
    throughput: { steps_per_second: 3.25, over_ms: 120_000 },
    gpu: { busy: 41.6 },
    hint: null,
    ...part,
  };
}

function open(search = '', metrics: unknown = told(), job = detail()) {
  return openConsole(`/jobs/j1?tab=metrics${search}`, { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/metrics': metrics });
}

describe('the metrics of a job', () => {
  it('stand side by side, each with its latest value', async () => {
    open();
    const loss = await screen.findByRole('figure', { name: 'loss' });
    expect(loss.textContent).toContain('loss 1, lowest 1, highest 3');
    expect(screen.getByRole('figure', { name: 'val_loss' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('come with how far and how fast it goes, and what holds it up', async () => {
    open('', told({ hint: { en: 'GPUs wait for data', zh: 'GPU 在等待数据' } }));
    expect((await screen.findByText('Step')).parentElement!.textContent).toBe('Step1,200');
    expect(screen.getByText('3.25 steps/s')).toBeTruthy();
    expect(screen.getByText('42 %')).toBeTruthy();
    expect(screen.getByText('GPUs wait for data')).toBeTruthy();
  });

  it('tell slow steps by how long each takes', async () => {
    open('', told({ throughput: { steps_per_second: 0.025, over_ms: 120_000 } }));
    expect(await screen.findByText('40 s per step')).toBeTruthy();
  });

  it('that are related share a chart, as the address says', async () => {
    const { address } = open();
    fireEvent.click(await screen.findByRole('radio', { name: 'Related together' }));
    const loss = await screen.findByRole('figure', { name: 'loss' });
    expect(within(loss).getByText(/val_loss/)).toBeTruthy();
    expect(address()).toBe('/jobs/j1?tab=metrics&charts=related');
  });

  it('are chosen by name and asked for by it', async () => {
    const { calls, address } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'All 3 metrics' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'val_loss' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'loss' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=metrics&metric=val_loss&metric=loss'));
    await waitFor(() => expect(calls.at(-1)!.query.getAll('name')).toEqual(['val_loss', 'loss']));
    expect(screen.getByRole('button', { name: '2 of 3 metrics' })).toBeTruthy();
  });

  it('go over time, by powers of ten, of every task, as wanted', async () => {
    const { calls, address } = open('', told({ names: [named('loss', ['worker-0', 'worker-1']), named('lr')] }));
    fireEvent.change(await screen.findByRole('combobox', { name: 'Task' }), { target: { value: '*' } });
    fireEvent.click(screen.getByRole('radio', { name: 'Time' }));
    fireEvent.click(screen.getByRole('button', { name: 'Log scale' }));
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=metrics&tasks=all&axis=time&scale=log'));
    await waitFor(() => expect(Object.fromEntries(calls.at(-1)!.query)).toMatchObject({ all_tasks: 'true', by: 'time' }));
  });

  it('are smoothed once the hand rests', async () => {
    const { address } = open();
    const slider = await screen.findByRole('slider', { name: /Smoothing/ });
    fireEvent.change(slider, { target: { value: '60' } });
    expect(screen.getByText('0.60')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/jobs/j1?tab=metrics&smooth=60'));
  });

  it('are of one attempt if wanted', async () => {
    const { calls } = open('&attempt=1', told(), detail({ attempt: 2, attempts: [attempt({ state: 'failed' }), attempt({ number: 2 })] }));
    expect((await screen.findByRole('combobox', { name: 'Attempt' })).textContent).toContain('Attempt 1: Failed');
    expect(calls.findLast(({ path, query }) => path === 'jobs/j1/metrics' && query.get('points') === '500')!.query.get('attempt')).toBe(
      '1',
    );
  });

  it('say how far it is where the training tells how many steps there are, and draw no chart of that', async () => {
    const steps = { latest_step: 1500, total_steps: 6000, throughput: { steps_per_second: 2, over_ms: 60_000 } };
    open('', told({ ...steps, series: [series('loss', 'worker-0', [3, 2, 1]), series('total_steps', 'worker-0', [6000])] }));
    expect(await screen.findByRole('progressbar', { name: 'Step 1,500 of 6,000, about 37m 30s left' })).toBeTruthy();
    expect(await screen.findByRole('figure', { name: 'loss' })).toBeTruthy();
    expect(screen.queryByRole('figure', { name: 'total_steps' })).toBeNull();
  });

  it('warn where one is no longer a number', async () => {
    open('', told({ names: [named('loss', ['worker-0'], null)], series: [series('loss', 'worker-0', [3, 2, null])] }));
    expect(await screen.findByText('loss is not a number')).toBeTruthy();
    expect(screen.getByText(/At step 1,200 it was NaN/)).toBeTruthy();
  });

  it('that nobody told of are explained: how to', async () => {
    open('', told({ names: [], series: [], latest_step: null }));
    expect(await screen.findByText('No metrics yet')).toBeTruthy();
    expect(screen.getByText(/danlu\.log\(step, loss=loss\)/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy these lines' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('cannot be there before it ran', async () => {
    open('', undefined, detail({ state: 'queued', attempt: 0, attempts: [], tasks: [] }));
    expect(await screen.findByText('No metrics yet: it has not run')).toBeTruthy();
  });

  it('that cannot be read say why', async () => {
    open('', new Refusal(403, { detail: 'not yours' }));
    expect(await screen.findByText('not yours')).toBeTruthy();
  });

  it('speak Chinese as well', async () => {
    await activateLocale('zh-CN');
    open();
    expect(await screen.findByText('3.25 步/秒')).toBeTruthy();
    expect(screen.getByRole('radio', { name: '同类合并' })).toBeTruthy();
  });
});

it('a workspace has no metrics to show', async () => {
  openConsole('/jobs/j1', { 'GET session': session, 'GET jobs/j1': detail({ kind: 'workspace' }) });
  await screen.findByRole('tab', { name: /Tasks/ });
  expect(screen.queryByRole('tab', { name: 'Metrics' })).toBeNull();
});
