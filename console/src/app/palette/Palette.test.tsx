import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { preferences, row, session } from '@/testing/samples';
import { useCommands } from '../commands';
import { openOverlay } from '../frame/overlays';

const signedIn = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [] },
  'GET me/preferences': preferences,
};
const page = (items: unknown[]) => ({ items, total: items.length, next_cursor: null });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

async function open(answers = {}) {
  const console = openConsole('/profile', { ...signedIn, ...answers });
  await heading('Profile');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Search or jump to…' });
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  return { ...console, field, type };
}
const active = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;

afterEach(() => {
  act(() => openOverlay(null));
  localStorage.clear();
  sessionStorage.clear();
});

describe('the command palette', () => {
  it('leads to a page by a few letters and Enter', async () => {
    const { field, type, address } = await open();
    type('nod');
    expect(active(field)).toContain('Nodes');
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(address()).toBe('/nodes'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('walks through its groups with the arrows, round the end', async () => {
    const { field } = await open();
    expect(active(field)).toContain('Overview');
    fireEvent.keyDown(field, { key: 'ArrowUp' });
    expect(active(field)).toContain('Sign out');
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    expect(active(field)).toContain('Overview');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('finds jobs on the server and opens one', async () => {
    const { type, calls, address } = await open({ 'GET jobs': page([row({ id: 'j7', name: 'bert-large' })]) });
    type('bert');
    fireEvent.click(await screen.findByRole('option', { name: /bert-large/ }));
    await waitFor(() => expect(address()).toBe('/jobs/j7'));
    expect(calls.filter(({ path, query }) => path === 'jobs' && query.has('search')).map(({ query }) => query.get('search'))).toEqual([
      'bert',
    ]);
  });

  it('says so when nothing is found', async () => {
    const { type } = await open({ 'GET jobs': page([]) });
    type('zzz');
    expect(await screen.findByText('Nothing found')).toBeTruthy();
  });

  it('switches the language and keeps the choice', async () => {
    const { type, calls, field } = await open({ 'PATCH me/preferences': { ...preferences, language: 'zh-CN' } });
    type('中文');
    fireEvent.keyDown(field, { key: 'Enter' });
    await heading('个人中心');
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ language: 'zh-CN' }));
  });

  it('recalls the pages one was at', async () => {
    sessionStorage.setItem('danlu.visits', JSON.stringify([{ path: '/jobs/j3', title: 'gpt-mini' }]));
    const { field, address } = await open({ 'GET jobs/j3': {} });
    expect(active(field)).toContain('gpt-mini');
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(address()).toBe('/jobs/j3'));
  });

  it('offers first what the open page can do', async () => {
    const stop = vi.fn<() => void>();
    const held = renderHook(({ label }) => useCommands([{ id: 'stop', label, icon: 'stop', run: stop }]), {
      initialProps: { label: 'Stop' },
    });
    held.rerender({ label: 'Stop bert' });
    const { field } = await open();
    expect(active(field)).toBe('Stop bert');
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(stop).toHaveBeenCalledOnce();
  });
});
