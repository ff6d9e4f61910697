import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { openOverlay } from '@/app/overlays';
import { chooseTimeZone } from '@/app/time-zone';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const token = { id: 't1', name: 'laptop', scopes: [], created_at: '2026-05-01T10:00:00Z', expires_at: null, last_used_at: null };
const times = { created_at: '2026-05-01T10:00:00Z', seen_at: '2026-05-01T12:00:00Z', expires_at: '2026-06-01T10:00:00Z' };
const here = { id: 's1', ...times, agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', address: '10.0.0.1', current: true };
const away = { id: 's2', ...times, agent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15', address: '10.0.0.2', current: false };
const answers = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [here, away] },
  'GET me/preferences': preferences,
};

afterEach(() => {
  act(() => openOverlay(null));
  chooseTimeZone(null);
  localStorage.clear();
});

describe('the profile', () => {
  it('says who one is, with groups and a way to the own score', async () => {
    openConsole('/profile', { ...answers, 'GET session': { ...session, user: { ...session.user, groups: ['vision', 'urgent'] } } });
    expect(await screen.findByText('vision')).toBeTruthy();
    expect(screen.getByText('Engineer')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'My score' }).getAttribute('href')).toBe('/scores/lin');
    expect(await screen.findByText('Firefox 128 on Linux')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('shows a new token’s secret once', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'GET tokens': { items: [token] }, 'POST tokens': { ...token, secret: 'danlu_secret' } });
    fireEvent.click(await screen.findByRole('button', { name: 'New token' }));
    fireEvent.change(await screen.findByLabelText('What is it for?'), { target: { value: 'nightly' } });
    fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
    expect(await screen.findByText('danlu_secret')).toBeTruthy();
    fireEvent.keyDown(screen.getByText('danlu_secret'), { key: 'Escape' });
    expect(screen.getByText('danlu_secret')).toBeTruthy();
    expect(calls.find((call) => call.method === 'POST')!.body).toEqual({ name: 'nightly', expires_in: '90d' });
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText('danlu_secret')).toBeNull());
  });

  it('revokes a token only after asking', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'GET tokens': { items: [token] }, 'DELETE tokens/t1': {} });
    const button = await screen.findByRole('button', { name: 'Revoke laptop' });
    button.focus();
    fireEvent.click(button);
    expect(calls.some((call) => call.method === 'DELETE')).toBe(false);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(calls.some((call) => call.path === 'tokens/t1')).toBe(true));
  });

  it('says at the field when the current password is wrong', async () => {
    const refusal = new Refusal(422, { type: 'invalid', title: 'Invalid', detail: '1 error in the request', errors: [{ loc: ['current'], code: 'wrong_password', message: 'this is not your present password' }] });
    openConsole('/profile', { ...answers, 'PUT me/password': refusal });
    const current = await screen.findByLabelText('Current password');
    fireEvent.change(current, { target: { value: 'a wrong one' } });
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'correct-horse' } });
    fireEvent.change(screen.getByLabelText('Repeat it'), { target: { value: 'correct-horse' } });
    fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('This is not your current password.')).toBeTruthy();
    expect(screen.queryByText(/error in the request/)).toBeNull();
  });

  it('gives the focus back when a question is cancelled', async () => {
    openConsole('/profile', { ...answers, 'GET tokens': { items: [token] } });
    const button = await screen.findByRole('button', { name: 'Revoke laptop' });
    button.focus();
    fireEvent.click(button);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});

describe('signed-in browsers', () => {
  it('are listed, this one marked and not to be signed out', async () => {
    openConsole('/profile', answers);
    const row = (await screen.findByText('Firefox 128 on Linux')).closest('tr')!;
    expect(within(row).getByText('this browser')).toBeTruthy();
    expect(within(row).queryByRole('button')).toBeNull();
  });

  it('are signed out one by one, after a question', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'DELETE me/sessions/s2': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out Safari 18 on macOS' }));
    expect(calls.some((call) => call.method === 'DELETE')).toBe(false);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === 'me/sessions/s2')).toBe(true));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('are signed out all but this one', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'DELETE me/sessions': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Sign out all others' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === 'me/sessions')).toBe(true));
  });

  it('without others offer nothing to sign out', async () => {
    openConsole('/profile', { ...answers, 'GET me/sessions': { items: [here] } });
    await screen.findByText('Firefox 128 on Linux');
    expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull();
  });
});

describe('language, theme and time zone', () => {
  it('change at once and are kept by the server', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'PATCH me/preferences': { ...preferences, language: 'zh-CN' } });
    fireEvent.click(await screen.findByRole('radio', { name: '中文' }));
    expect(await screen.findByRole('heading', { name: '个人中心' })).toBeTruthy();
    expect(document.documentElement.lang).toBe('zh-CN');
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ language: 'zh-CN' }));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('go back to what was when the server refuses', async () => {
    openConsole('/profile', {
      ...answers,
      'GET me/preferences': { ...preferences, language: 'en' },
      'PATCH me/preferences': new Refusal(403, { detail: 'not today' }),
    });
    await screen.findByText('Firefox 128 on Linux');
    fireEvent.click(await screen.findByRole('radio', { name: '中文' }));
    await waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'));
    await waitFor(() => expect(document.documentElement.lang).toBe('en'));
  });

  it('a zone is found by name and moves every time on the page', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'PATCH me/preferences': { ...preferences, time_zone: 'Asia/Tokyo' } });
    const field = await screen.findByRole('combobox', { name: 'Time zone' });
    act(() => field.focus());
    fireEvent.click(field);
    fireEvent.change(field, { target: { value: 'japan' } });
    fireEvent.click(await screen.findByRole('option', { name: /Asia\/Tokyo/, hidden: true }));
    expect(await screen.findByText('Jan 1, 2026, 09:00:00')).toBeTruthy();
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ time_zone: 'Asia/Tokyo' }));
    expect(localStorage.getItem('danlu.time-zone')).toBe('Asia/Tokyo');
  });
});
