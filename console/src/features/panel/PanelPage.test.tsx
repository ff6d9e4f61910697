import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trends } from '@/api/trends';
import { chartsOf, hiddenLines } from '@/parts/trends/charts';
import { translate } from '@/app/i18n';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { setWidth } from '@/testing/fields';
import { preferences, resources, session } from '@/testing/samples';

// Below a desktop's width the tables are stacks.
beforeEach(() => setWidth(1440));
afterEach(() => setWidth(1024));

const cpus = { total: 256, free: 192, shortage: 0, mine_shortage: 0, used: 40, queued: 0, mine_used: 8, mine_queued: 0 };
const classes = [
  {
    class: 'distributed',
    running: 2,
    queued: 1,
    mine_running: 0,
    mine_queued: 1,
    tasks_running: 4,
    tasks_queued: 3,
    mine_tasks_running: 0,
    mine_tasks_queued: 3,
    gpus: [{ model: 'A100', used: 16, queued: 24, mine_used: 0, mine_queued: 8, total: 32, free: 12, shortage: 12, mine_shortage: 3 }],
    cpus,
  },
  {
    class: 'workspace',
    running: 5,
    queued: 0,
    mine_running: 1,
    mine_queued: 0,
    tasks_running: 5,
    tasks_queued: 0,
    mine_tasks_running: 1,
    mine_tasks_queued: 0,
    gpus: [{ model: 'A100', used: 4, queued: 0, mine_used: 4, mine_queued: 0, total: 16, free: 6, shortage: 0, mine_shortage: 0 }],
    cpus,
  },
] as const;
const point = { at: '2026-05-01T10:00:00Z', held: 12, queued: 4, use: 0.5, wait: 90, starts: 1, ended: 0, failed: 0 };
const trends: Trends = {
  since: '2026-05-01T10:00:00Z',
  until: '2026-05-01T12:00:00Z',
  step: 'hour',
  lines: [{ key: 'A100', points: [point, { ...point, at: '2026-05-01T11:00:00Z', use: null }] }],
  capacity: [{ model: 'A100', points: [{ at: '2026-05-01T10:00:00Z', total: 32 }] }],
};

function open(address = '/panel', answers: Answers = {}, everywhere = ['usage:read']) {
  return openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['usage:read'], everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET resources': resources({ classes: [...classes] as never }),
    'GET trends': trends,
    'GET projects': {
      items: [
        { name: 'nlp', my_role: 'member' },
        { name: 'cv', my_role: null },
      ],
      next_cursor: null,
    },
    ...answers,
  });
}
const table = async (name: string) =>
  within(await screen.findByRole('region', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
/** By their names. */
const numbers = (item: HTMLElement) =>
  Object.fromEntries([...item.querySelectorAll('dl > div')].map((pair) => [...pair.children].map((part) => part.textContent)));

describe('the resource panel', () => {
  it('tells by GPU model what is used, waited for, free, there, and missing', async () => {
    open();
    const [a100, processors] = await table('By GPU model');
    expect(a100!.slice(0, 7)).toEqual(['A100 4 nodes', '20', '24', '12', '32', '12', '8']);
    expect(processors!.slice(0, 5)).toEqual(['CPUs', '64', '0', '192', '256']);
    expect(screen.getByText(/As of/)).toBeTruthy();
    await screen.findAllByRole('figure');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('tells by class what runs and waits', async () => {
    open();
    expect(await table('By class of job')).toEqual([
      ['Workspace', '5 (5)', '0', '4 A100', '0', '6 A100', '16 A100', '0', '40'],
      ['Distributed', '2 (4)', '1 (3)', '16 A100', '24 A100', '12 A100', '32 A100', '12 A100', '40'],
    ]);
  });

  it("tells of one's own when asked to", async () => {
    const { address } = open();
    fireEvent.click(await screen.findByRole('radio', { name: 'Mine' }));
    await waitFor(() => expect(address()).toBe('/panel?scope=mine'));
    expect((await table('By class of job')).map((row) => row.slice(0, 4))).toEqual([
      ['Workspace', '1 (1)', '0', '4 A100'],
      ['Distributed', '0', '1 (3)', '0'],
    ]);
    expect((await table('By class of job'))[1]![7]).toBe('3 A100');
    expect((await table('By GPU model'))[0]!.slice(1, 3)).toEqual(['4', '8']);
  });

  it.each([420, 1024])('at a width of %i has every number below the name of its row', async (width) => {
    setWidth(width);
    open();
    const models = within(await screen.findByRole('list', { name: 'By GPU model' })).getAllByRole('listitem');
    expect(models[0]!.textContent).toContain('A100 4 nodes');
    expect(numbers(models[0]!)).toMatchObject({ Used: '20', Queued: '24', Free: '12', Total: '32', Shortage: '12' });
    const [, distributed] = within(screen.getByRole('list', { name: 'By class of job' })).getAllByRole('listitem');
    expect(Object.values(numbers(distributed!))).toEqual(['2 (4)', '1 (3)', '16 A100', '24 A100', '12 A100', '32 A100', '12 A100', '40']);
    expect(screen.queryByRole('table')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is asked again when one wishes', async () => {
    const { calls } = open();
    await table('By GPU model');
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(calls.filter(({ path }) => path === 'resources').length).toBeGreaterThan(1));
  });
});

describe('the trends', () => {
  it('are drawn for a range, by what one likes, and come as a table', async () => {
    const { calls } = open();
    const charts = await screen.findAllByRole('figure');
    expect(charts.map((chart) => chart.getAttribute('aria-label'))).toEqual([
      'GPUs allocated',
      'GPUs queued',
      'GPU utilisation',
      'Waiting time',
    ]);
    fireEvent.click(screen.getByRole('radio', { name: 'Month' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Lines' }), { target: { value: 'user' } });
    fireEvent.change(screen.getByRole('combobox', { name: 'Project' }), { target: { value: 'nlp' } });
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === 'trends')!.query.toString()).toBe('since=-30d&step=day&by=user&project=nlp'),
    );
    expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toMatch(
      /\/api\/v1\/trends\?since=-30d&step=day&by=user&project=nlp&format=csv$/,
    );
  });

  it("are one's own, or those of one's projects, for those who may not see everybody's", async () => {
    const { calls } = open('/panel', {}, []);
    await screen.findAllByRole('figure');
    expect(calls.findLast(({ path }) => path === 'trends')!.query.get('user')).toBe('lin');
    const projects = screen.getByRole('combobox', { name: 'Project' });
    expect(
      within(projects)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['My own', 'nlp']);
    expect(screen.queryByRole('textbox', { name: 'Person' })).toBeNull();
    fireEvent.change(projects, { target: { value: 'nlp' } });
    await waitFor(() => expect(calls.findLast(({ path }) => path === 'trends')!.query.toString()).toContain('project=nlp'));
    expect(calls.findLast(({ path }) => path === 'trends')!.query.has('user')).toBe(false);
  });

  it('say so where nothing happened, or why they cannot be shown', async () => {
    open('/panel', { 'GET trends': { ...trends, lines: [] } });
    expect(await screen.findByText('No data in this period')).toBeTruthy();
  });

  it('leave the rest of the page alone where they are refused', async () => {
    open('/panel', { 'GET trends': new Refusal(403, { type: 'forbidden', title: 'No', detail: 'ask for your own' }) });
    expect(await screen.findByText('ask for your own')).toBeTruthy();
    expect(await table('By GPU model')).toHaveLength(3);
  });

  it('draw the largest lines and the whole above them', () => {
    const many = {
      ...trends,
      lines: Array.from({ length: 10 }, (_, index) => ({ key: `u${index}`, points: [{ ...point, held: index }] })),
    };
    const [held] = chartsOf(many, (key) => key, translate);
    expect(held!.series.map(({ label }) => label)).toEqual(['u9', 'u8', 'u7', 'u6', 'u5', 'u4', 'u3', 'u2', 'Total']);
    expect(held!.series.at(-1)!.values).toEqual([32]);
    expect(hiddenLines(many)).toBe(2);
  });
});
