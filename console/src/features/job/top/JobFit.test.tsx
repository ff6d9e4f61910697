import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { detail, session } from '@/testing/samples';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

const small = { name: 'a100-1', resources: {}, classes: [], description: '' };
const fits = {
  job: 'j1',
  measured: { runs: 1, cpus: 1, memory: 1, gpu_use: null, gpu_memory: null },
  items: [{ flavor: small, text: { en: 'available now', zh: '可立即使用' } }],
  text: { en: 'its last run used at most 1 of 8 CPUs and 2 of 64 GiB', zh: '最近 1 次运行最多使用 1/8 核 CPU、2/64 GiB 内存' },
};
const ended = detail({ state: 'completed', actions: ['start', 'edit', 'clone', 'delete'], ended_at: '2026-05-01T11:00:00Z' });

function open(tab: string, job = ended, fit: unknown = fits) {
  return openConsole(`/jobs/j1?tab=${tab}`, { 'GET session': session, 'GET jobs/j1': job, 'GET flavors/recommend': fit });
}

describe('a job that has ended', () => {
  it('says beside its file what it would fit in, and leads to where that is changed', async () => {
    open('spec');
    await screen.findByText('Its last run used at most 1 of 8 CPUs and 2 of 64 GiB; it would fit into a100-1.');
    expect(screen.getByRole('link', { name: 'Clone with a100-1' }).getAttribute('href')).toBe(
      '/jobs/new?from=j1&set=flavor%3Aa100-1&set=resources%3A',
    );
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe('/jobs/j1/edit');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says so beside its plots too', async () => {
    open('plots');
    expect(await screen.findByText(/it would fit into a100-1\./)).toBeTruthy();
  });

  it('of that flavor is told that it fits, and of nothing to change', async () => {
    open('spec', detail({ ...ended, spec: { ...ended.spec, flavor: 'a100-1' } }));
    await screen.findByText(/; a100-1 fits\./);
    expect(screen.queryByRole('link', { name: /a100-1/ })).toBeNull();
  });

  it('of several roles is not led to change the size of one', async () => {
    open('spec', detail({ ...ended, spec: { ...ended.spec, roles: [{ name: 'ps' }] } }));
    await screen.findByText(/it would fit into a100-1\./);
    expect(screen.queryByRole('link', { name: 'Clone with a100-1' })).toBeNull();
  });

  it('says nothing where nothing was measured', async () => {
    const { calls } = open('spec', ended, { ...fits, measured: null, items: [] });
    await waitFor(() => expect(calls.some(({ path }) => path === 'flavors/recommend')).toBe(true));
    expect(screen.queryByText(/used at most/)).toBeNull();
  });
});

it('a job that runs is not asked about', async () => {
  const { calls } = open('spec', detail());
  await screen.findByText('As Danlu parsed it, without comments');
  expect(calls.some(({ path }) => path === 'flavors/recommend')).toBe(false);
});
