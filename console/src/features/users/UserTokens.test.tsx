import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { ADMINISTRATES, group, userDetail } from '@/testing/people';
import { preferences, session } from '@/testing/samples';

const open = (answers: Answers = {}, everywhere = ADMINISTRATES) =>
  openConsole('/users/sara', {
    'GET session': { ...session, user: { ...session.user, role: 'administrator' } },
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET groups': { items: [group()], next_cursor: null },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET users/sara': userDetail(),
    'GET users/sara/keys': { items: [] },
    'GET users/sara/quota': { items: [], storage: [], budgets: [], limits: [], caps: [] },
    ...answers,
  });

describe('the tokens of a person', () => {
  const token = {
    id: 't1',
    user: 'sara',
    name: 'nightly',
    scopes: ['job:read'],
    created_at: '2026-05-01T10:00:00Z',
    expires_at: null,
    last_used_at: null,
  };

  it('are shown without their secrets and revoked after asking', async () => {
    const { calls } = open({
      'GET all-tokens': { items: [token], next_cursor: null },
      'DELETE all-tokens/t1': {},
    });
    const line = (await screen.findByText('nightly')).closest('li')!;
    expect(line.textContent).toContain('expires never · job:read');
    expect(calls.find(({ path }) => path === 'all-tokens')!.query.get('user')).toBe('sara');
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Revoke nightly' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === 'all-tokens/t1')).toBe(true));
  });

  it('are not asked for by those who may not manage accounts', async () => {
    const { calls } = open({}, ['user:read']);
    expect(await screen.findByText('Sara Novak')).toBeTruthy();
    expect(screen.queryByText('No tokens')).toBeNull();
    expect(calls.some(({ path }) => path === 'all-tokens')).toBe(false);
  });
});
