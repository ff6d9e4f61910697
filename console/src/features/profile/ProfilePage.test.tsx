import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { openOverlay } from '@/app/frame/overlays';
import { chooseTimeZone } from '@/app/time-zone';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const token = { id: 't1', name: 'laptop', scopes: [], created_at: '2026-05-01T10:00:00Z', expires_at: null, last_used_at: null };
const times = { created_at: '2026-05-01T10:00:00Z', seen_at: '2026-05-01T12:00:00Z', expires_at: '2026-06-01T10:00:00Z' };
const here = {
  id: 's1',
  ...times,
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  address: '10.0.0.1',
  current: true,
};
const away = {
  id: 's2',
  ...times,
  agent: 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Safari/605.1.15',
  address: '10.0.0.2',
  current: false,
};
const answers = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [here, away] },
  'GET me/preferences': preferences,
  'GET me': { user: session.user, permissions: ['job:read'], groups: [], projects: [] },
  'GET me/keys': { items: [] },
  'GET users/lin/quota': { items: [], storage: [], budgets: [], limits: [], caps: [] },
};
const key = { id: 'k1', name: 'lin@laptop', type: 'ssh-ed25519', fingerprint: 'SHA256:abc', created_at: '2026-05-01T10:00:00Z' };

afterEach(() => {
  act(() => openOverlay(null));
  chooseTimeZone(null);
  localStorage.clear();
});

describe('the profile', () => {
  it('says who one is, where one belongs and what that lets one do', async () => {
    const groups = [
      { name: 'vision', permissions: ['job:read'] },
      { name: 'urgent', permissions: [] },
    ];
    const me = { user: session.user, permissions: ['job:read', 'strange:thing'], groups, projects: [{ project: 'nlp', role: 'creator' }] };
    openConsole('/profile', { ...answers, 'GET me': me });
    expect(within(await screen.findByRole('list', { name: 'vision' })).getByText("Read other people's jobs and logs")).toBeTruthy();
    expect(screen.getByText('urgent').nextSibling?.textContent).toBe('No permissions');
    expect(screen.getByText('All permissions (2)')).toBeTruthy();
    expect(screen.getByText('strange:thing')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'nlp' }).closest('li')!.textContent).toBe('nlpCreator');
    expect(screen.getByText('Engineer')).toBeTruthy();
    expect(screen.getByText('lin@example.org')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'My score' }).getAttribute('href')).toBe('/scores/lin');
    expect(await screen.findByText('Firefox 128 on Linux')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('shows a new token’s secret once', async () => {
    const { calls } = openConsole('/profile', {
      ...answers,
      'GET tokens': { items: [token] },
      'POST tokens': { ...token, secret: 'danlu_secret' },
    });
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
    const refusal = new Refusal(422, {
      type: 'invalid',
      title: 'Invalid',
      detail: '1 error in the request',
      errors: [{ loc: ['current'], code: 'wrong_password', message: 'this is not your current password' }],
    });
    openConsole('/profile', { ...answers, 'PUT me/password': refusal });
    const current = await screen.findByLabelText('Current password');
    fireEvent.change(current, { target: { value: 'a wrong one' } });
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'correct-horse' } });
    fireEvent.change(screen.getByLabelText('Repeat the password'), { target: { value: 'correct-horse' } });
    fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('This is not your current password.')).toBeTruthy();
    expect(screen.queryByText(/error in the request/)).toBeNull();
  });

  it('offers to end sessions and tokens with the old password', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'PUT me/password': {} });
    fireEvent.change(await screen.findByLabelText('Current password'), { target: { value: 'old enough' } });
    fireEvent.change(screen.getByLabelText('New password'), { target: { value: 'correct-horse' } });
    fireEvent.change(screen.getByLabelText('Repeat the password'), { target: { value: 'correct-horse' } });
    expect(screen.getByLabelText<HTMLInputElement>('Sign out my other browsers').checked).toBe(true);
    fireEvent.click(screen.getByLabelText('Revoke all my API tokens'));
    fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('Your password is changed.')).toBeTruthy();
    expect(calls.find(({ path }) => path === 'me/password')!.body).toEqual({
      new: 'correct-horse',
      current: 'old enough',
      end_sessions: true,
      end_tokens: true,
    });
    expect(screen.getByLabelText<HTMLInputElement>('Revoke all my API tokens').checked).toBe(false);
  });

  it.each([
    [['token:write'], false],
    [['token:write', 'token:extend'], true],
  ])('offers a token without an end to those who may make one: %s', async (items, offered) => {
    openConsole('/profile', { ...answers, 'GET permissions': { items, everywhere: [] } });
    fireEvent.click(await screen.findByRole('button', { name: 'New token' }));
    fireEvent.click(await screen.findByLabelText('Expires', { selector: 'input' }));
    expect(await screen.findByRole('option', { name: 'When this browser’s session ends' })).toBeTruthy();
    expect(screen.queryByRole('option', { name: 'Never' }) !== null).toBe(offered);
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

async function begin(answer: unknown) {
  const console = openConsole('/profile', { ...answers, 'POST me/keys': answer });
  fireEvent.click(await screen.findByRole('button', { name: 'Add a key' }));
  const dialog = within(await screen.findByRole('dialog'));
  const send = () => fireEvent.click(dialog.getByRole('button', { name: 'Add a key' }));
  return {
    dialog,
    send,
    paste: (text: string) => fireEvent.change(dialog.getByLabelText('Public key'), { target: { value: text } }),
    sent: () => console.calls.filter(({ method }) => method === 'POST').map(({ body }) => body),
  };
}

describe('SSH keys', () => {
  it('are added under the name that the key itself has', async () => {
    const { dialog, paste, send, sent } = await begin(key);
    paste('ssh-ed25519 AAAA lin@laptop');
    expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('lin@laptop');
    send();
    await waitFor(() => expect(sent()).toEqual([{ name: 'lin@laptop', key: 'ssh-ed25519 AAAA lin@laptop' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that are refused are told at the field', async () => {
    const { dialog, paste, send } = await begin(
      new Refusal(422, {
        type: 'invalid',
        title: 'x',
        detail: 'x',
        errors: [{ loc: ['key'], code: 'weak', message: 'an RSA key needs 2048 bits' }],
      }),
    );
    paste('ssh-rsa AAAA old');
    send();
    expect(await dialog.findByText('an RSA key needs 2048 bits')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('that are private never leave the page', async () => {
    const { dialog, paste, send, sent } = await begin(key);
    paste('-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl');
    expect(await dialog.findByText(/This is a private key/)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add a key' }).disabled).toBe(true);
    send();
    expect(sent()).toEqual([]);
  });

  it('are removed after a question', async () => {
    const { calls } = openConsole('/profile', { ...answers, 'GET me/keys': { items: [key] }, 'DELETE me/keys/k1': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove lin@laptop' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(calls.some(({ path }) => path === 'me/keys/k1')).toBe(true));
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
