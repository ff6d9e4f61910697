import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { setWidth } from '@/testing/fields';
import { detail } from '@/testing/samples';
import { answers, file, open, user } from '../testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

const small = {
  name: 'a100-1',
  resources: { cpus: 8, memory: '64GiB', gpus: 1, gpu: 'A100', shm: '0B', rdma: false },
  classes: ['single'],
  description: '',
};
const text = {
  en: 'its last 3 runs used at most 3.1 of 8 CPUs and 10 of 64 GiB',
  zh: '最近 3 次运行最多使用 3.1/8 核 CPU、10/64 GiB 内存',
};
const measured = { runs: 3, cpus: 3.1, memory: 2 ** 33, gpu_use: null, gpu_memory: null };
const fits = { job: 'j1', measured, items: [{ flavor: small, text: { en: 'available now', zh: '可立即使用' } }], text };
const source = detail({
  state: 'completed',
  actions: ['start', 'edit', 'clone'],
  spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py', resources: { gpus: 1, cpus: 8 } },
});

describe('what the earlier runs of a job used', () => {
  it('is told to a copy of it, and the flavor that would do is taken with one click', async () => {
    const { calls } = await open('/jobs/new?from=j1', { 'GET jobs/j1': source, 'GET flavors/recommend': fits });
    await screen.findByText('Its last 3 runs used at most 3.1 of 8 CPUs and 10 of 64 GiB; a100-1 would be enough.');
    expect(await accessibilityProblems()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Use a100-1' }));
    await waitFor(() => expect(file()).toContain('flavor: a100-1'));
    expect(file()).not.toContain('resources');
    await screen.findByText(/; a100-1 fits\./);
    expect(screen.queryByRole('button', { name: 'Use a100-1' })).toBeNull();
    expect(calls.find(({ path }) => path === 'flavors/recommend')!.query.get('job')).toBe('j1');
  });

  it('is told where it is edited, in the language of the reader', async () => {
    await activateLocale('zh-CN');
    openConsole('/jobs/j1/edit', { ...answers, 'GET jobs/j1': source, 'GET flavors/recommend': fits });
    expect(await screen.findByText('最近 3 次运行最多使用 3.1/8 核 CPU、10/64 GiB 内存；套餐 a100-1 即可满足。')).toBeTruthy();
  });

  it('is told also where no flavor is enough', async () => {
    await open('/jobs/new?from=j1', { 'GET jobs/j1': source, 'GET flavors/recommend': { ...fits, items: [] } });
    expect(await screen.findByText('Its last 3 runs used at most 3.1 of 8 CPUs and 10 of 64 GiB')).toBeTruthy();
  });

  it('is not spoken of where nothing was measured, or there was no job', async () => {
    const { calls } = await open('/jobs/new?from=j1', {
      'GET jobs/j1': source,
      'GET flavors/recommend': { job: 'j1', measured: null, items: [], text: { en: 'none of its runs was measured', zh: '无' } },
    });
    await waitFor(() => expect(calls.some(({ path }) => path === 'flavors/recommend')).toBe(true));
    expect(screen.queryByText(/none of its runs/i)).toBeNull();
  });

  it('is not asked for where a job begins with an example', async () => {
    const { calls } = await open('/jobs/new?example=gpu', { 'GET flavors/recommend': fits });
    await screen.findByLabelText('GPUs');
    expect(calls.some(({ path }) => path === 'flavors/recommend')).toBe(false);
  });
});
