import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { node, preferences, row, session } from '@/testing/samples';
import { useCommands } from '../commands';
import { openOverlay } from '../frame/overlays';

const signedIn = {
  'GET session': session,
  'GET tokens': { items: [] },
  'GET me/sessions': { items: [] },
  'GET me/preferences': preferences,
  'GET nodes': { items: [] },
  'GET projects': { items: [] },
  'GET volumes': { items: [] },
  'GET templates': { items: [] },
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

const found = (name: string) =>
  within(screen.getByRole('group', { name }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

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

const LISTS = new Set(['nodes', 'projects', 'volumes', 'templates', 'users', 'groups']);
const person = { name: 'lin', display_name: 'Lin Wei', email: 'lin@x.org' };

describe('what the palette finds by name', () => {
  it('asks each list once, and only when something was typed', async () => {
    const { type, calls } = await open({
      'GET jobs': page([]),
      'GET nodes': { items: [1, 2, 3, 4, 5, 6].map((at) => node({ name: `nlp-${at}`, pool: 'big' })) },
      'GET projects': { items: [{ name: 'nlp', description: 'Language' }] },
      'GET volumes': { items: [{ id: 'v1', name: 'nlp-data', owner: 'ada' }] },
      'GET templates': { items: [{ id: 't1', name: 'nlp-start', owner: 'ada' }] },
    });
    const asked = () => calls.map(({ path }) => path).filter((path) => LISTS.has(path));
    expect(asked()).toEqual([]);
    type('nl');
    await screen.findByRole('group', { name: 'Templates' });
    type('nlp');
    await waitFor(() => expect(calls.filter(({ path }) => path === 'jobs')).toHaveLength(2));
    expect(found('Nodes')).toEqual(['nlp-1big', 'nlp-2big', 'nlp-3big', 'nlp-4big', 'nlp-5big']);
    expect(found('Projects')).toEqual(['nlpLanguage']);
    expect(found('Volumes')).toEqual(['nlp-dataada']);
    expect(found('Templates')).toEqual(['nlp-startada']);
    expect(asked().toSorted()).toEqual(['nodes', 'projects', 'templates', 'volumes']);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('opens a node by the keyboard', async () => {
    const { type, field, address } = await open({ 'GET jobs': page([]), 'GET nodes': { items: [node({ name: 'gpu-07' })] } });
    type('u-07');
    await waitFor(() => expect(active(field)).toContain('gpu-07'));
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(address()).toBe('/nodes/gpu-07'));
  });

  it('begins a job from a template', async () => {
    const { type, address } = await open({ 'GET jobs': page([]), 'GET templates': { items: [{ id: 't1', name: 'sft', owner: 'ada' }] } });
    type('sft');
    fireEvent.click(await screen.findByRole('option', { name: /sft/ }));
    await waitFor(() => expect(address()).toBe('/jobs/new?template=t1'));
  });

  it('lets the server search people, for those who may see them', async () => {
    const { type, calls, address } = await open({
      'GET permissions': { items: [], everywhere: ['user:read', 'group:write'] },
      'GET jobs': page([]),
      'GET users': page([person]),
      'GET groups': { items: [{ name: 'lin-lab', description: '' }] },
    });
    type('lin');
    await screen.findByRole('option', { name: /lin-lab/ });
    fireEvent.click(await screen.findByRole('option', { name: /Lin Wei/ }));
    await waitFor(() => expect(address()).toBe('/users/lin'));
    const [asked, ...more] = calls.filter(({ path }) => path === 'users');
    expect(Object.fromEntries(asked!.query)).toEqual({ search: 'lin', limit: '20' });
    expect(more).toEqual([]);
  });

  it('shows jobs while other lists are slow, and says when one failed', async () => {
    const refusal = new Refusal(403, { type: 'forbidden', title: 'No', detail: 'no' });
    let answer!: (nodes: unknown) => void;
    const slow = new Promise((done) => {
      answer = done;
    });
    const { type } = await open({ 'GET jobs': page([row({ id: 'j7', name: 'bert' })]), 'GET nodes': () => slow });
    type('bert');
    expect(await screen.findByRole('option', { name: /bert/ })).toBeTruthy();
    expect(screen.queryByText('Not everything could be searched.')).toBeNull();
    answer(refusal);
    expect(await screen.findByText('Not everything could be searched.')).toBeTruthy();
    expect(screen.getByRole('option', { name: /bert/ })).toBeTruthy();
  });

  it.each([
    ['maintenance', ['Pools', 'Nodes']],
    ['settings', ['Profile', 'Clusters']],
    ['metrics', ['Resource panel', 'Jobs']],
    ['limits', ['Quotas and limits', 'Priorities and limits']],
    ['维护', ['Pools', 'Nodes']],
  ])('leads by the word %s to the pages where that is', async (word, places) => {
    const { type } = await open({ 'GET jobs': page([]) });
    type(word);
    expect(found('Pages').map((text) => places.find((place) => text?.startsWith(place)))).toEqual(expect.arrayContaining(places));
  });
});
