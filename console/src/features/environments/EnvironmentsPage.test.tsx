import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { EnvironmentRow } from '@/api/environments';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const KEY = '0123456789abcdef0123';
const row: EnvironmentRow = {
  key: KEY,
  kind: 'pip',
  made_from: 'requirements.txt',
  size: 3 * 2 ** 30,
  made_at: '2026-01-31T12:00:00Z',
  used_at: '2026-01-31T12:00:00Z',
  job: 'bert',
  packages: 2,
  building: false,
  in_use: false,
};
const used = { ...row, key: KEY.replace('0', 'f'), made_from: 'einops, numpy<2', in_use: true };

function open(answers: Answers = {}) {
  return openConsole('/environments', {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: [], everywhere: [] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET me/environments': { items: [row, used] },
    ...answers,
  });
}

describe('my environments', () => {
  it('are listed; one that is in use cannot be deleted', async () => {
    open();
    const first = (await screen.findByRole('button', { name: 'requirements.txt' })).closest('tr')!;
    expect(first.textContent).toMatch(/^requirements\.txtReady23 GiB/);
    const second = screen.getByRole('button', { name: 'einops, numpy<2' }).closest('tr')!;
    expect(second.textContent).toContain('In use');
    expect(within(second).getAllByRole('button')).toHaveLength(1);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('show what is installed', async () => {
    open({
      [`GET me/environments/${KEY}`]: {
        ...row,
        python: '3.11.7',
        content: ['torch'],
        installed: [{ name: 'torch', version: '2.9' }],
        path: `.danlu/environments/${KEY}`,
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'requirements.txt' }));
    const dialog = await screen.findByRole('dialog', { name: `Environment ${KEY}` });
    await waitFor(() => expect(dialog.textContent).toContain('torch 2.9'));
    expect(dialog.textContent).toContain('Python 3.11.7');
  });

  it('are deleted after a question', async () => {
    const { calls } = open({ [`DELETE me/environments/${KEY}`]: null });
    const first = (await screen.findByRole('button', { name: 'requirements.txt' })).closest('tr')!;
    fireEvent.click(within(first).getByRole('button', { name: `Remove ${KEY}` }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Frees 3 GiB/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
  });

  it('say how to get the first one', async () => {
    open({ 'GET me/environments': { items: [] } });
    expect(await screen.findByText('No environments yet')).toBeTruthy();
  });
});
