import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '@/api/session';
import { openConsole, Refusal } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { row, session } from '@/testing/samples';
import { queryClient } from './queries';

const wang: Session = { ...session, csrf: 'token-of-wang', user: { ...session.user, name: 'wang', display_name: 'Wang Fang' } };
const page = (name: string) => ({ items: [row({ name })], total: 1, next_cursor: null });

/** A console that lin has open, and who the server says is signed in. */
async function open(answers: Answers = {}) {
  let now: Session | null = session;
  const opened = openConsole('/jobs', {
    'GET session': () => now ?? new Refusal(401, {}),
    'GET jobs': () => (now ? page(now === wang ? 'job-of-wang' : 'job-of-lin') : new Refusal(401, {})),
    'POST session': session,
    ...answers,
  });
  await screen.findByRole('link', { name: 'job-of-lin' });
  return {
    ...opened,
    becomes: (next: Session | null) => {
      now = next;
    },
  };
}

const shown = () =>
  act(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    await Promise.resolve();
  });
const otherTab = () =>
  act(async () => {
    dispatchEvent(new StorageEvent('storage', { key: 'danlu.session-changed' }));
    await Promise.resolve();
  });

const leave = () => {
  fireEvent.click(screen.getByRole('button', { name: 'Lin Yue' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.setItem('danlu.terminal.j1', 'secret');
});

describe('a session that another tab ended', () => {
  it.each([
    ['tells so', otherTab],
    ['is behind and this one is shown again', shown],
  ])('leads to the sign-in with nothing left, when that tab %s', async (_, notice) => {
    const { becomes, address } = await open();
    becomes(null);
    await notice();
    expect(await screen.findByLabelText('Password')).toBeTruthy();
    expect(address()).toBe('/sign-in?next=%2Fjobs');
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .filter(({ queryKey, state }) => queryKey[0] !== 'session' && state.data !== undefined),
    ).toEqual([]);
    expect(sessionStorage.getItem('danlu.terminal.j1')).toBeNull();
  });

  it('shows the things of who signed in there instead, and no others', async () => {
    const { becomes, calls } = await open();
    becomes(wang);
    await otherTab();
    expect(await screen.findByRole('button', { name: 'Wang Fang' })).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'job-of-wang' })).toBeTruthy();
    expect(screen.queryByText('job-of-lin')).toBeNull();
    expect(calls.filter(({ path }) => path === 'session')).toHaveLength(2);
  });

  it('shows nothing of who was here before, even where the server does not answer', async () => {
    let gone = false;
    const { becomes } = await open({ 'GET jobs': () => (gone ? new Refusal(503, { detail: 'Busy.' }) : page('job-of-lin')) });
    becomes(wang);
    gone = true;
    await otherTab();
    expect(await screen.findByRole('button', { name: 'Wang Fang' })).toBeTruthy();
    expect(screen.queryByText('job-of-lin')).toBeNull();
  });
});

describe('signing out', () => {
  it('that the server does not hear of is not done, says so and can be tried again', async () => {
    let broken = true;
    const { address } = await open({ 'DELETE session': () => (broken ? new Refusal(503, { detail: 'The database is locked.' }) : {}) });
    leave();
    expect(await screen.findByText('You are still signed in')).toBeTruthy();
    expect(address()).toBe('/jobs');
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(address()).toBe('/sign-in'));
  });

  it('from a session that is over already is done', async () => {
    const { address } = await open({ 'DELETE session': new Refusal(401, {}) });
    leave();
    await waitFor(() => expect(address()).toBe('/sign-in'));
  });
});
