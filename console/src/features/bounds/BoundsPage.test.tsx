import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { session } from '@/testing/samples';

const quota = { name: 'default', amounts: { workspace: { gpus: 3 } }, storage: {}, raises: [] };
const limit = { name: 'one-each', user: '*', project: null, class: 'single', gpus: 8, max_time: '2d' };
const project = { name: 'nlp', weight: 1, guarantee: {}, cap: { A100: 16 }, priorities: [], node_selector: {}, members: 2, my_role: null };
const priority = { name: 'urgent', value: 900, budget: 40, groups: [], projects: [], description: '' };

const answers = {
  'GET session': session,
  'GET permissions': { items: [], everywhere: ['quota:write', 'limit:write', 'project:write', 'priority:write'] },
  'GET users/lin/quota': {
    items: [{ quota: 'user:lin', class: 'all', resource: 'gpus', limit: 6, used: 2, source: 'raise', until: '2026-06-01T10:00:00Z' }],
    storage: [],
    budgets: [],
    limits: [],
    caps: [{ project: 'nlp', resource: 'A100', limit: 16, used: 4 }],
  },
  'GET quotas': { items: [quota], next_cursor: null },
  'GET limits': { items: [limit], next_cursor: null },
  'GET projects': { items: [project], next_cursor: null },
  'GET priorities': { items: [priority], next_cursor: null },
};

const raise = (gpus: number, until: string) => ({ amounts: { workspace: { gpus } }, until, by: 'root', reason: '' });

describe('what bounds whom', () => {
  it('tells quotas, limits, caps and budgets apart, with their numbers and where to change them', async () => {
    openConsole('/bounds', answers);
    const table = await screen.findByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['Each person', 'Quota', 'Workspace', '3 GPUs', 'Set quotas'],
      ['Each person', 'Limit', 'Single node', '8 GPUs at once · 2d per job', 'Set limits'],
      ['Project nlp', 'Cap', 'All classes together', '16 A100', 'Open the project'],
      ['Each person', 'Budget', 'jobs at priority urgent', '40 GPU-hours a month', 'Set budgets'],
    ]);
    expect(screen.getAllByRole('link', { name: 'Set quotas' })[0]!.getAttribute('href')).toBe('/quotas');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('counts raises while they last, of a default too, and none that are over', async () => {
    const lin = { name: 'user:lin', amounts: { all: { gpus: 4 } }, storage: {}, raises: [raise(12, '2126-06-01T10:00:00Z')] };
    const wang = { name: 'user:wang', amounts: { all: { gpus: 4 } }, storage: {}, raises: [raise(12, '2020-06-01T10:00:00Z')] };
    openConsole('/bounds', { ...answers, 'GET quotas': { items: [quota, lin, wang], next_cursor: null } });
    const table = await screen.findByRole('table');
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => [row.children[0]!.textContent, row.children[3]!.textContent]);
    expect(rows.slice(1, 4)).toEqual([
      ['lin', '4 GPUs'],
      ['lin', expect.stringMatching(/^12 GPUs \(raised from 3 until Jun 1, 2126/)],
      ['wang', '4 GPUs'],
    ]);
  });

  it('does not say that nothing is bounded where only the settings bound', async () => {
    const none = { items: [], next_cursor: null };
    openConsole('/bounds', { ...answers, 'GET quotas': none, 'GET limits': none, 'GET projects': none, 'GET priorities': none });
    expect(await screen.findByText(/^No quota, limit, cap or budget is set\. What the settings bound/)).toBeTruthy();
  });

  it('shows others their own bounds with what is used and left, and no page they may not change', async () => {
    const { calls } = openConsole('/bounds', { ...answers, 'GET permissions': { items: [], everywhere: [] } });
    const own = (await screen.findByText('Your bounds')).closest('section')!;
    await within(own).findByText('2 of 6, 4 left');
    expect(own.textContent).toMatch(/raised, until .*2026/);
    expect(own.textContent).toContain('nlp4 of 16, 12 leftA100');
    const main = within(screen.getByRole('main'));
    expect(main.queryByText('Nothing is bounded')).toBeNull();
    expect(main.queryAllByRole('link')).toEqual([]);
    expect(calls.some(({ path }) => path === 'quotas')).toBe(false);
  });
});
