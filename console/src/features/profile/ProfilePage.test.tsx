import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { session } from '@/testing/samples';

const token = { id: 't1', name: 'laptop', scopes: [], created_at: '2026-05-01T10:00:00Z', expires_at: null, last_used_at: null };

describe('the profile', () => {
  it('shows a new token’s secret once', async () => {
    const { calls } = openConsole('/profile', { 'GET session': session, 'GET tokens': { items: [token] }, 'POST tokens': { ...token, secret: 'danlu_secret' } });
    fireEvent.click(await screen.findByRole('button', { name: 'New token' }));
    fireEvent.change(await screen.findByLabelText('What is it for?'), { target: { value: 'nightly' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
    expect(await screen.findByText('danlu_secret')).toBeTruthy();
    expect(calls.find((call) => call.method === 'POST')!.body).toEqual({ name: 'nightly', expires_in: '90d' });
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText('danlu_secret')).toBeNull());
  });

  it('revokes a token only after asking', async () => {
    const { calls } = openConsole('/profile', { 'GET session': session, 'GET tokens': { items: [token] }, 'DELETE tokens/t1': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke laptop' }));
    expect(calls.some((call) => call.method === 'DELETE')).toBe(false);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(calls.some((call) => call.path === 'tokens/t1')).toBe(true));
  });

  it('changes the language at once', async () => {
    openConsole('/profile', { 'GET session': session, 'GET tokens': { items: [] } });
    fireEvent.click(await screen.findByRole('radio', { name: '中文' }));
    expect(await screen.findByRole('heading', { name: '个人中心' })).toBeTruthy();
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(await accessibilityProblems()).toEqual([]);
  });
});
