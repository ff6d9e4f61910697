import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Transfer, TransferSchedule } from '@/api/transfers';
import { accessibilityProblems, openConsole } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const MIB = 2 ** 20;

const running: Transfer = {
  id: '0abcdefghjkmn',
  owner: session.user.name,
  source: 'https://example.org/data.tar.gz',
  target: 'data:/in/',
  state: 'running',
  progress: { files: 0, files_total: 1, bytes: 30 * MIB, bytes_total: 120 * MIB, skipped: 0, left_out: 0, changed: 0, rate: 5 * MIB },
  problem: null,
  attempts: 1,
  cancelling: false,
  created_at: '2026-05-01T10:00:00Z',
  started_at: '2026-05-01T10:00:00Z',
  ended_at: null,
  not_before: null,
  schedule: null,
  for_job: null,
  existing: 'update',
  ref: '',
  include: [],
  exclude: [],
  sha256: '',
  unpack: false,
  can_edit: true,
};
const failed: Transfer = {
  ...running,
  id: '1abcdefghjkmn',
  source: 'git+https://example.org/set.git',
  state: 'failed',
  ended_at: '2026-05-01T10:01:00Z',
  problem: {
    code: 'login_refused',
    params: {},
    text: { en: 'example.org refused the login (401)', zh: 'example.org 拒绝了登录凭据（401）' },
    advice: { en: 'check the password', zh: '请检查密码' },
  },
};
const schedule: TransferSchedule = {
  id: '2abcdefghjkmn',
  owner: session.user.name,
  source: 'https://example.org/daily.csv',
  target: 'data:/',
  cron: '@daily',
  zone: 'UTC',
  paused: false,
  due_at: '2026-05-02T00:00:00Z',
  last_at: null,
  last_transfer: null,
  last_skipped: false,
  created_at: '2026-05-01T10:00:00Z',
  changed_at: '2026-05-01T10:00:00Z',
  existing: 'update',
  ref: '',
  include: [],
  exclude: [],
  unpack: false,
  can_edit: true,
};

function open(address: string, answers: Answers = {}) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['volume:read', 'volume:write', 'transfer:read', 'transfer:write'], everywhere: [] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET transfers': { items: [], next_cursor: null },
    'GET transfers/schedules': { items: [], next_cursor: null },
    ...answers,
  });
  const sent = (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);
  return { ...console, sent };
}

describe('the transfers', () => {
  it('are listed with how far and how fast they are, and why they failed', async () => {
    const { sent } = open('/transfers', {
      'GET transfers': { items: [running, failed], next_cursor: null },
      [`POST transfers/${running.id}/cancel`]: { ...running, cancelling: true },
      [`POST transfers/${failed.id}/resume`]: { ...failed, state: 'queued' },
    });
    const row = (await screen.findByText(running.source)).closest('tr')!;
    expect(within(row).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(row.textContent).toContain('5 MiB/s');
    // A phone has no room for the bar beside the names: it shows a number in its place.
    expect(within(row).getByRole('progressbar').closest('td')!.dataset['hideBelow']).toBe('phone');
    expect(within(row).getByText('25 %')).toBeTruthy();
    const other = screen.getByText(failed.source).closest('tr')!;
    expect(other.textContent).toContain('example.org refused the login (401) · check the password');
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(row).getByRole('button', { name: `Cancel the transfer of ${running.source}` }));
    fireEvent.click(within(other).getByRole('button', { name: `Resume the transfer of ${failed.source}` }));
    await waitFor(() => expect(sent(`POST transfers/${running.id}/cancel`)).toHaveLength(1));
    await waitFor(() => expect(sent(`POST transfers/${failed.id}/resume`)).toHaveLength(1));
  });

  it('are begun for the place that a volume led from', async () => {
    const { sent } = open('/transfers?into=data%3A%2Fin%2F', { 'POST transfers': running });
    const dialog = within(await screen.findByRole('dialog', { name: 'New transfer' }));
    expect(dialog.getByLabelText<HTMLInputElement>(/^To/).value).toBe('data:/in/');
    fireEvent.change(dialog.getByLabelText(/^From/), { target: { value: 'git+https://example.org/set.git' } });
    fireEvent.change(dialog.getByLabelText('Branch, tag or commit'), { target: { value: 'v1' } });
    fireEvent.change(dialog.getByLabelText('Password or token'), { target: { value: 's3cret' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Begin' }));
    await waitFor(() => expect(sent('POST transfers')).toHaveLength(1));
    expect(sent('POST transfers')[0]).toMatchObject({
      source: 'git+https://example.org/set.git',
      target: 'data:/in/',
      ref: 'v1',
      login: { user: '', secret: 's3cret' },
    });
  });

  it('say what to do where there are none', async () => {
    open('/transfers');
    expect(await screen.findByText('No transfers yet')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'New transfer' })).toHaveLength(2);
  });

  it('come again by schedules, which are paused and removed', async () => {
    const { sent } = open('/transfers?tab=schedules', {
      'GET transfers/schedules': { items: [schedule], next_cursor: null },
      [`PATCH transfers/schedules/${schedule.id}`]: { ...schedule, paused: true },
      [`DELETE transfers/schedules/${schedule.id}`]: null,
    });
    fireEvent.click(await screen.findByRole('button', { name: `Pause the schedule of ${schedule.source}` }));
    await waitFor(() => expect(sent(`PATCH transfers/schedules/${schedule.id}`)).toEqual([{ paused: true }]));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: `Remove ${schedule.source}` }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the schedule?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent(`DELETE transfers/schedules/${schedule.id}`)).toHaveLength(1));
  });
});
