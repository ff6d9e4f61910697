import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Maintenance } from '@/api/rules/maintenance';
import { chooseTimeZone } from '@/app/time-zone';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { node, preferences, session } from '@/testing/samples';

const firmware: Maintenance = {
  name: 'firmware',
  start: '2026-05-02T10:00:00Z',
  end: '2026-05-02T12:00:00Z',
  nodes: ['a100-1', 'a100-2'],
  pool: null,
  description: 'New firmware',
  state: 'planned',
};
const pools = {
  items: [
    { name: 'default', classes: [], description: '' },
    { name: 'big', classes: ['distributed'], description: 'For large jobs' },
  ],
  next_cursor: null,
};

function open(answers: Answers = {}, everywhere = ['pool:write', 'node:write']) {
  const console = openConsole('/pools', {
    'GET session': session,
    'GET me/preferences': { ...preferences, time_zone: 'Asia/Shanghai' },
    'GET permissions': { items: everywhere, everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET nodes': { items: [node(), node({ name: 'a100-2' })] },
    'GET pools': pools,
    'GET maintenance': { items: [firmware], next_cursor: null },
    ...answers,
  });
  return {
    ...console,
    sent: (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body),
  };
}
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

afterEach(() => chooseTimeZone(null));

describe('the pools', () => {
  it('tell what they serve and what they have', async () => {
    open();
    const row = (await screen.findByRole('link', { name: 'default' })).closest('tr')!;
    await waitFor(() => expect(row.textContent).toContain('defaultAll classes24'));
    expect(screen.getByRole('link', { name: 'big' }).closest('tr')!.textContent).toContain('Distributed00For large jobs');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are made, changed and removed', async () => {
    const inUse = new Refusal(409, { type: 'conflict', title: 'x', detail: 'node a100-1 is in pool big', errors: [] });
    const { sent } = open({ 'POST pools': pools.items[1], 'PATCH pools/big': pools.items[1], 'DELETE pools/big': inUse });
    fireEvent.click(await screen.findByRole('button', { name: 'New pool' }));
    let dialog = await inDialog('New pool');
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'fast' } });
    fireEvent.click(dialog.getByLabelText('Workspace'));
    fireEvent.click(dialog.getByRole('button', { name: 'Create pool' }));
    await waitFor(() => expect(sent('POST pools')).toEqual([{ name: 'fast', classes: ['workspace'], description: '' }]));
    fireEvent.click(await screen.findByRole('button', { name: 'Edit big' }));
    dialog = await inDialog('Edit big');
    fireEvent.click(dialog.getByLabelText('Distributed'));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('PATCH pools/big')).toEqual([{ classes: [], description: 'For large jobs' }]));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove big' }));
    dialog = await inDialog('Remove big?');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await dialog.findByText('node a100-1 is in pool big')).toBeTruthy();
  });

  it('are changed only by those who may', async () => {
    open({}, []);
    await screen.findByText('— New firmware');
    expect(screen.queryByRole('button', { name: /^(New pool|Edit|Remove|Plan)/ })).toBeNull();
  });
});

describe('maintenance', () => {
  it("is planned in the person's time zone, after a look at what it touches", async () => {
    const jobs = [{ job_id: 'j1', name: 'bert', owner: 'lin', class: 'single', ends_by_itself: false }];
    const { sent } = open({
      'POST maintenance/preview': { nodes: ['a100-1'], jobs, drain_by: '2026-05-01T02:00:00Z' },
      'POST maintenance': firmware,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Plan maintenance' }));
    const dialog = await inDialog('Plan maintenance');
    const type = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
    type('Name', 'fans');
    type('Start', '2026-05-01T10:00');
    type('End', '2026-05-01T12:30');
    type('Nodes', 'a100-1, a100-2\nt4-1');
    const what = { start: '2026-05-01T02:00:00.000Z', end: '2026-05-01T04:30:00.000Z', nodes: ['a100-1', 'a100-2', 't4-1'], pool: null };
    fireEvent.click(dialog.getByRole('button', { name: 'What is affected' }));
    expect(await dialog.findByText('will be evicted')).toBeTruthy();
    expect(sent('POST maintenance/preview')).toEqual([what]);
    fireEvent.click(dialog.getByRole('button', { name: 'Plan maintenance' }));
    await waitFor(() => expect(sent('POST maintenance')).toEqual([{ name: 'fans', description: '', ...what }]));
  });

  it('is changed to a pool', async () => {
    const { sent } = open({ 'PATCH maintenance/firmware': firmware });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit firmware' }));
    const dialog = await inDialog('Edit firmware');
    expect((dialog.getByLabelText('Start') as HTMLInputElement).value).toBe('2026-05-02T18:00');
    fireEvent.click(dialog.getByRole('radio', { name: 'A whole pool' }));
    fireEvent.change(await dialog.findByRole('combobox', { name: 'Pool' }), { target: { value: 'big' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PATCH maintenance/firmware')).toMatchObject([{ nodes: [], pool: 'big', start: '2026-05-02T10:00:00.000Z' }]),
    );
  });

  it('is cancelled', async () => {
    const { sent } = open({ 'DELETE maintenance/firmware': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove firmware' }));
    fireEvent.click((await inDialog('Remove firmware?')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent('DELETE maintenance/firmware')).toHaveLength(1));
  });

  it('says so where none is planned', async () => {
    open({ 'GET maintenance': { items: [], next_cursor: null } });
    expect(await screen.findByText('No maintenance is planned')).toBeTruthy();
  });
});
