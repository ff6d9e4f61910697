import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { preferences, session } from '@/testing/samples';
import { openOverlay } from './overlays';
import { chooseTimeZone } from '../time-zone';

const signedIn = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [] },
  'GET me/preferences': preferences,
};
const press = (key: string, more: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...more });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

afterEach(() => {
  act(() => openOverlay(null));
  localStorage.clear();
  sessionStorage.clear();
  chooseTimeZone(null);
});

describe('the frame', () => {
  it('marks the place one is at and says so in the title', async () => {
    openConsole('/profile', signedIn);
    await heading('Profile');
    const main = screen.getByRole('navigation', { name: 'Main' });
    expect(within(main).getByRole('link', { current: 'page' }).textContent).toBe('Profile');
    expect(document.title).toBe('Profile · Danlu');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('goes to places by keys, and the new page takes the focus', async () => {
    const { address } = openConsole('/profile', signedIn);
    await heading('Profile');
    press('g');
    press('n');
    await waitFor(() => expect(address()).toBe('/nodes'));
    await waitFor(() => expect(document.activeElement?.id).toBe('main'));
  });

  it('is narrow in a narrow window, its places keep their names, and a choice is remembered', async () => {
    openConsole('/profile', signedIn);
    const widen = await screen.findByRole('button', { name: 'Expand the navigation' });
    expect(screen.getByRole('link', { name: 'Queue' }).getAttribute('title')).toBe('Queue');
    fireEvent.click(widen);
    expect(screen.getByRole('button', { name: 'Collapse the navigation' }).getAttribute('aria-expanded')).toBe('true');
    expect(localStorage.getItem('danlu.sidebar')).toBe('wide');
  });

  it('shows the places where one governs to those who may', async () => {
    openConsole('/profile', { ...signedIn, 'GET permissions': { items: [], everywhere: ['user:read'] } });
    const main = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(main.getByRole('link', { name: 'Projects' })).toBeTruthy();
    expect(main.queryByRole('link', { name: 'People' })).toBeNull();
    const administration = main.getByRole('button', { name: 'Administration' });
    fireEvent.click(administration);
    expect(await main.findByRole('link', { name: 'People' })).toBeTruthy();
    expect(main.queryByRole('link', { name: 'Groups' })).toBeNull();
    expect(JSON.parse(localStorage.getItem('danlu.sections')!)).toEqual({ govern: false });
  });

  it('keeps the place one is at in sight when its area is folded', async () => {
    localStorage.setItem('danlu.sections', '{"team":true,"compute":true}');
    openConsole('/profile', signedIn);
    const main = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(main.queryByRole('link', { name: 'Queue' })).toBeNull();
    press('g');
    press('q');
    expect(await main.findByRole('link', { name: 'Queue', current: 'page' })).toBeTruthy();
    expect(main.queryByRole('link', { name: 'Jobs' })).toBeNull();
  });

  it('shows them to nobody else', async () => {
    const { address } = openConsole('/profile', { ...signedIn, 'GET permissions': { items: ['user:read'], everywhere: [] } });
    await heading('Profile');
    expect(screen.queryByRole('link', { name: 'People' })).toBeNull();
    press('g');
    press('u');
    expect(address()).toBe('/profile');
  });

  it('lists the shortcuts that work now', async () => {
    openConsole('/profile', signedIn);
    await heading('Profile');
    press('?', { shiftKey: true });
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(sheet).getByText('New job').nextSibling?.textContent).toBe('N');
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('the header', () => {
  it('switches the theme and keeps the choice', async () => {
    const { calls } = openConsole('/profile', { ...signedIn, 'PATCH me/preferences': { ...preferences, theme: 'dark' } });
    await heading('Profile');
    fireEvent.click(screen.getByRole('button', { name: 'Theme' }));
    fireEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ theme: 'dark' }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe('dark');
  });

  it('signs out', async () => {
    const { calls, address } = openConsole('/profile', { ...signedIn, 'DELETE session': {} });
    await heading('Profile');
    fireEvent.click(screen.getByRole('button', { name: 'Lin Yue' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'Sign out' }));
    await waitFor(() => expect(address()).toBe('/sign-in'));
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === 'session')).toBe(true);
  });

  it('offers no new job to those who only look on', async () => {
    const { address } = openConsole('/profile', { ...signedIn, 'GET session': { ...session, user: { ...session.user, role: 'viewer' } } });
    await heading('Profile');
    expect(screen.queryByRole('link', { name: 'New job' })).toBeNull();
    press('n');
    expect(address()).toBe('/profile');
  });

  it('offers a new job on every page', async () => {
    openConsole('/profile', signedIn);
    expect((await screen.findByRole('link', { name: 'New job' })).getAttribute('href')).toBe('/jobs/new');
  });
});

describe('what the server keeps', () => {
  it('wins over what this browser remembered', async () => {
    localStorage.setItem('danlu.time-zone', 'Asia/Tokyo');
    openConsole('/profile', { ...signedIn, 'GET me/preferences': { ...preferences, language: 'zh-CN', time_zone: 'America/New_York' } });
    await heading('个人中心');
    expect(localStorage.getItem('danlu.locale')).toBe('zh-CN');
    expect(localStorage.getItem('danlu.time-zone')).toBe('America/New_York');
  });
});
