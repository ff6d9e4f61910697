import { screen, within } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { MantineProvider } from '@mantine/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '@/app/queries';
import type { QuotaUse } from '@/api/rules/quotas';
import { QuotaView } from './QuotaView';

const use: QuotaUse = {
  items: [
    { quota: 'group:nlp', class: 'all', resource: 'gpus', limit: 16, used: 4, source: 'group', until: null },
    { quota: 'user:lin', class: 'workspace', resource: 'gpus', limit: 5, used: 3, source: 'raise', until: '2026-06-01T10:00:00Z' },
    { quota: 'default', class: 'all', resource: 'memory', limit: null, used: 2 ** 35, source: 'default', until: null },
  ],
  storage: [
    { type: 'block', limit: 2 ** 40, used: 2 ** 39, counted_at: null },
    { type: 'local', limit: 2 ** 40, used: 2 ** 30, counted_at: '2026-05-01T00:00:00Z' },
  ],
  budgets: [{ priority: 'urgent', budget: 100, spent: 25, since: '2026-05-01T00:00:00Z', renews: '2026-06-01T00:00:00Z' }],
  limits: [
    { name: 'eight', shared: true, project: 'nlp', class: 'single', gpus: 8, used: 6, max_time: '2d' },
    { name: 'short', shared: false, project: null, class: null, gpus: null, used: 0, max_time: '1h' },
  ],
  caps: [{ project: 'nlp', resource: 'A100', limit: 16, used: 4 }],
};

function show(answer: QuotaUse, props: { user?: string; group?: string }): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <QuotaView {...props} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return asked;
}

beforeEach(() => queryClient.clear());

describe('what a person may hold', () => {
  it('is told by class, with where each limit comes from', async () => {
    const asked = show(use, { user: 'lin' });
    expect(await screen.findByText('Members of group nlp together')).toBeTruthy();
    expect(asked).toEqual(['/api/v1/users/lin/quota']);
    const lines = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(lines[0]).toBe('Memory32 GiB used, no limitdefault for everybody');
    expect(lines[1]).toMatch(/^GPUs3 of 5, 2 leftraised, until .*2026/);
    expect(lines[2]).toBe('GPUs4 of 16, 12 leftshared by the group');
    expect(lines[3]).toBe('Block512 GiB of 1 TiB, 512 GiB left');
    expect(lines[4]).toMatch(/^Personal directory1 GiB of 1 TiB, 1023 GiB leftcounted /);
    expect(lines[5]).toMatch(/^urgent25 GPU-hours of 100 GPU-hours, 75 GPU-hours left/);
    expect(lines.slice(6)).toEqual([
      'eight6 GPUs of 8 GPUs, 2 GPUs left2d per job · Single node · nlp · everybody together',
      'short1h per job',
      'nlp4 of 16, 12 leftA100',
    ]);
  });

  it('of a group needs no word about whose it is', async () => {
    const asked = show({ ...use, items: use.items.slice(0, 1), storage: [], budgets: [], limits: [], caps: [] }, { group: 'nlp' });
    expect(within((await screen.findByText('All classes together')).parentElement!).getByText('4 of 16, 12 left')).toBeTruthy();
    expect(screen.queryByText(/Members of group/)).toBeNull();
    expect(asked).toEqual(['/api/v1/groups/nlp/quota']);
  });

  it('may be without bounds', async () => {
    show({ items: [], storage: [], budgets: [], limits: [], caps: [] }, { user: 'lin' });
    expect(await screen.findByText('No quota is set')).toBeTruthy();
  });
});
