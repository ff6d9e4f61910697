import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { session } from '@/testing/samples';

const nobody = { 'GET session': new Refusal(401, {}) };
const jobs = { 'GET jobs': { items: [], total: 0, next_cursor: null } };

describe('signing in', () => {
  it('says so when the password is wrong', async () => {
    openConsole('/sign-in', { ...nobody, 'POST session': new Refusal(401, { detail: 'bad credentials' }) });
    fireEvent.change(await screen.findByLabelText('User name'), { target: { value: 'lin' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'wrong' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect((await screen.findByRole('alert')).textContent).toBe('User name or password is wrong.');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('by a one-time link uses the code once and asks for a password', async () => {
    let fresh = true;
    const { calls, address } = openConsole('/sign-in?code=abc', {
      ...jobs,
      'GET session': () => (fresh ? new Refusal(401, {}) : session),
      'POST session/link': { ...session, must_set_password: true },
      'PUT me/password': {},
    });
    const field = await screen.findByLabelText('New password');
    expect(screen.getByText(/^You are signed in as lin\./)).toBeTruthy();
    expect(calls.filter((call) => call.path === 'session/link').map((call) => call.body)).toEqual([{ code: 'abc' }]);
    fireEvent.change(field, { target: { value: 'correct-horse' } });
    fireEvent.change(screen.getByLabelText('Repeat the password'), { target: { value: 'correct-horse' } });
    fresh = false;
    fireEvent.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeTruthy();
    expect(calls.find((call) => call.path === 'me/password')!.body).toEqual({ new: 'correct-horse' });
    expect(address()).toBe('/');
  });

  it('refuses a short password before asking the server', async () => {
    const { calls } = openConsole('/set-password', { 'GET session': { ...session, must_set_password: true } });
    fireEvent.change(await screen.findByLabelText('New password'), { target: { value: 'short' } });
    fireEvent.click(screen.getByRole('button', { name: 'Set password' }));
    expect(await screen.findByText('5 of at least 8 characters')).toBeTruthy();
    expect(calls.some((call) => call.path === 'me/password')).toBe(false);
  });

  it('with a used link falls back to the password', async () => {
    openConsole('/sign-in?code=used', { ...nobody, 'POST session/link': new Refusal(401, { detail: 'this link was used already' }) });
    expect(await screen.findByText('It was already used or has expired. Run danlu up on the server to print a new one.')).toBeTruthy();
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  it('offers the providers of the organisation and comes back where one wanted to go', async () => {
    openConsole('/sign-in?next=/queue', { ...nobody, 'GET session/providers': { items: [{ name: 'corp', title: 'Example GitLab' }] } });
    const button = await screen.findByRole('link', { name: 'Sign in with Example GitLab' });
    expect(button.getAttribute('href')).toBe('/api/v1/session/oidc/corp?next=%2Fqueue');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says why a provider sent one back', async () => {
    document.cookie = `danlu_refused=${encodeURIComponent(JSON.stringify({ en: 'only members of research may sign in', zh: '只有 research 的成员才能登录' }))}; path=/`;
    openConsole('/sign-in', nobody);
    expect((await screen.findByRole('alert')).textContent).toContain('only members of research may sign in');
    expect(screen.queryByText('or')).toBeNull();
    expect(document.cookie).toBe('');
  });

  it('never leads to another site', async () => {
    const { address } = openConsole('/sign-in?next=//evil.example/', { ...nobody, ...jobs, 'POST session': session });
    fireEvent.change(await screen.findByLabelText('User name'), { target: { value: 'lin' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(address()).toBe('/'));
  });
});
