import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { jobKeys } from '@/api/jobs';
import type { JobDetail, JobRow } from '@/api/jobs';
import { detail, reason, row } from '@/testing/samples';
import { CALLS } from './actions';
import { perform } from './perform';

const list = jobKeys.list({ sort: '-created' });

function cache() {
  const client = new QueryClient();
  const pages = [{ items: [row({ id: 'a', reason }), row({ id: 'b' })] }, { items: [row({ id: 'c' })] }];
  client.setQueryData(list, { pages, pageParams: [null, 'x'] });
  client.setQueryData(jobKeys.detail('a'), detail({ id: 'a' }));
  const jobs = () => client.getQueryData<{ pages: { items: JobRow[] }[] }>(list)!.pages.flatMap(({ items }) => items);
  return { client, jobs, states: () => jobs().map(({ state }) => state) };
}

function answer(action: 'stop' | 'delete', by: () => Promise<unknown>) {
  return vi.spyOn(CALLS, action).mockImplementation(by);
}

describe('an action on a job', () => {
  it('shows at once what is safe to foresee, in lists and on its page, and leaves the others as they are', async () => {
    const { client, jobs, states } = cache();
    const before = jobs();
    let finish: ((value: unknown) => void) | undefined;
    answer(
      'stop',
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const done = perform(client, 'stop', { id: 'a' });
    expect(states()).toEqual(['stopping', 'running', 'running']);
    expect(jobs()[0]!.reason).toBeNull();
    expect(jobs()[1]).toBe(before[1]);
    expect(jobs()[2]).toBe(before[2]);
    expect(client.getQueryData<JobDetail>(jobKeys.detail('a'))!.state).toBe('stopping');
    finish!(detail({ id: 'a', state: 'stopped', version: 7 }));
    await done;
    expect(jobs()[0]).toMatchObject({ state: 'stopped', version: 7 });
    expect(Object.keys(jobs()[0]!)).toEqual(Object.keys(row()));
  });

  it('takes back what the server refuses', async () => {
    const { client, jobs } = cache();
    const before = jobs()[0];
    answer('stop', () => Promise.reject(new Error('no')));
    await expect(perform(client, 'stop', { id: 'a' })).rejects.toThrow('no');
    expect(jobs()[0]).toEqual(before);
  });

  it('foresees nothing of what cannot be undone', async () => {
    const { client, states } = cache();
    answer('delete', () => Promise.resolve(undefined));
    await perform(client, 'delete', { id: 'a' });
    expect(states()).toEqual(['running', 'running', 'running']);
  });
});
