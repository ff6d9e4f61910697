import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { session } from '@/testing/samples';

const node = {
  name: 'a100-1', state: 'ready', virtual: true, address: '127.0.1.1', cpus: 64, memory: 2 ** 39, gpu_model: 'A100',
  gpus: [{ index: 0, uuid: null, declared: true }, { index: 1, uuid: null, declared: true }], labels: {},
  used: { cpus: 16, memory: 2 ** 37, gpus: 1 }, pool: 'default',
  tasks: [{ job_id: 'j1', job_name: 'bert', owner: 'lin', task: 'worker-0', gpus: [1], started_at: '2026-05-01T10:00:00Z' }],
};

describe('the nodes page', () => {
  it('shows who holds which GPU, and that a node is virtual', async () => {
    openConsole('/nodes', { 'GET session': session, 'GET nodes': { items: [node] } });
    const gpus = await screen.findByRole('list', { name: 'GPUs of a100-1' });
    expect(within(gpus).getAllByRole('listitem').map((item) => item.title)).toEqual(['GPU 0: free', 'GPU 1: bert (lin)']);
    expect(screen.getByText('virtual')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'bert' }).getAttribute('href')).toBe('/jobs/j1?tab=logs&task=worker-0');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('tells of the job of somebody else only whose it is', async () => {
    const hidden = { ...node, tasks: [{ ...node.tasks[0], job_id: null, job_name: null }] };
    openConsole('/nodes', { 'GET session': session, 'GET nodes': { items: [hidden] } });
    expect(await screen.findByText("someone's job")).toBeTruthy();
    expect(screen.getByTitle("GPU 1: someone's job (lin)")).toBeTruthy();
    expect(screen.queryByRole('link', { name: "someone's job" })).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says so where there is none', async () => {
    openConsole('/nodes', { 'GET session': session, 'GET nodes': { items: [] } });
    expect(await screen.findByText('No nodes yet')).toBeTruthy();
  });
});
