import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FileEntry } from '@/api/files';
import { accessibilityProblems } from '@/testing/app';
import { openVolumes, shared, volume, whole } from './testing';

const entry = (name: string, kind: FileEntry['kind'] = 'file'): FileEntry => ({
  name,
  key: name.replaceAll('%', '%25'),
  kind,
  size: 2048,
  modified: '2026-05-01T10:00:00Z',
  target: null,
  executable: false,
});
const page = (...items: FileEntry[]) => ({ items, next_cursor: null, total: items.length, whole: true });
const one = `volumes/${volume.id}`;
const open = (search = '', answers: Record<string, unknown> = {}) =>
  openVolumes(`/${one}${search}`, {
    [`GET ${one}`]: whole(volume),
    [`GET ${one}/files`]: page(entry('train', 'folder'), entry('50%.csv'), entry('b.txt')),
    ...answers,
  });

describe('the files of a volume', () => {
  it('are chosen, and deleted with a way back', async () => {
    const { sent } = open('', {
      [`POST ${one}/files/delete`]: { items: [{ id: 'e1' }, { id: 'e2' }], failed: [] },
      [`POST ${one}/trash/e1/restore`]: {},
      [`POST ${one}/trash/e2/restore`]: {},
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose 50%.csv' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose train' }));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent(`POST ${one}/trash/e2/restore`)).toHaveLength(1));
    expect(sent(`POST ${one}/files/delete`)).toEqual([{ paths: ['train', '50%25.csv'] }]);
  });

  it('get folders and names, where a name is one', async () => {
    const { sent } = open('?path=train', {
      [`POST ${one}/files/mkdir`]: {},
      [`POST ${one}/files/move`]: { items: [{ path: 'b.txt', to: 'c.txt' }], failed: [] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'New folder' }));
    let dialog = within(await screen.findByRole('dialog', { name: 'New folder' }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'a/b' } });
    expect(dialog.getByText('A name has no / and is not . or ..')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: '10%' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create folder' }));
    await waitFor(() => expect(sent(`POST ${one}/files/mkdir`)).toEqual([{ path: 'train/10%25' }]));
    fireEvent.click(screen.getByRole('button', { name: 'More for b.txt' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
    dialog = within(await screen.findByRole('dialog', { name: 'Rename b.txt' }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'c.txt' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(sent(`POST ${one}/files/move`)).toHaveLength(1));
  });

  it('move into a folder that is found by walking there', async () => {
    const { sent } = open('', {
      [`GET ${one}/files`]: ({ query }: { query: URLSearchParams }) =>
        query.get('path') ? page() : page(entry('train', 'folder'), entry('b.txt')),
      [`POST ${one}/files/move`]: { items: [{ path: 'b.txt', to: 'c.txt' }], failed: [] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'More for b.txt' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move b.txt' }));
    expect(dialog.getByRole('button', { name: 'Move here' }).hasAttribute('disabled')).toBe(true);
    fireEvent.click(await dialog.findByRole('button', { name: 'train' }));
    await dialog.findByText('No folders in here.');
    fireEvent.click(dialog.getByRole('button', { name: 'Move here' }));
    await waitFor(() => expect(sent(`POST ${one}/files/move`)).toHaveLength(1));
  });

  it('can only be read where the volume is shared to read', async () => {
    const other = `volumes/${shared.id}`;
    openVolumes(`/${other}`, { [`GET ${other}`]: whole(shared), [`GET ${other}/files`]: page(entry('b.txt')) });
    expect(await screen.findByRole('link', { name: 'Download b.txt' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Upload files' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'More for b.txt' }));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Copy a link']);
  });
});

describe('a volume', () => {
  it('is shared with people and projects, to read or to write', async () => {
    const { sent } = open('?tab=sharing', {
      [`GET ${one}`]: whole({ ...volume, shares: [{ to: 'project', name: 'nlp', mode: 'ro' }] }),
      [`PUT ${one}/shares`]: whole(volume),
      [`PATCH ${one}`]: whole(volume),
    });
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'wang' } });
    fireEvent.change(screen.getByLabelText('Access'), { target: { value: 'rw' } });
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    await waitFor(() => expect(sent(`PUT ${one}/shares`)).toHaveLength(1));
    expect(sent(`PUT ${one}/shares`)[0]).toEqual({
      shares: [
        { to: 'project', name: 'nlp', mode: 'ro' },
        { to: 'user', name: 'wang', mode: 'rw' },
      ],
    });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'No longer share with nlp' }));
    await waitFor(() => expect(sent(`PUT ${one}/shares`).at(-1)).toEqual({ shares: [] }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Everybody may read it' }));
    await waitFor(() => expect(sent(`PATCH ${one}`)).toEqual([{ public: true }]));
  });

  it('tells which jobs mount it, those that one may not see without a name', async () => {
    const uses = [
      { id: 'j1', job: 'bert', owner: 'lin', read_only: false },
      { id: null, job: null, owner: 'wang', read_only: true },
    ];
    open('?tab=use', { [`GET ${one}`]: whole(volume, uses) });
    expect((await screen.findByRole('link', { name: 'bert' })).closest('tr')!.textContent).toBe('bertlinRead and write');
    expect(screen.getByText('A job of somebody else').closest('tr')!.textContent).toMatch(/wangRead$/);
  });

  it('grows, and goes to the trash with a word on what is lost', async () => {
    const { sent, address } = open('?tab=settings', { [`PATCH ${one}`]: whole(volume), [`DELETE ${one}`]: null });
    fireEvent.change(await screen.findByLabelText('Capacity'), { target: { value: '50GiB' } });
    expect(screen.getByText('It has 100 GiB and can only grow')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Capacity'), { target: { value: '200GiB' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(`PATCH ${one}`)).toEqual([{ capacity: 200 * 2 ** 30 }]));
    fireEvent.click(screen.getByRole('button', { name: 'Move to the trash' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move imagenet to the trash?' }));
    expect(dialog.getByText(/12 files and folders \(50 GiB\)/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Move to the trash' }));
    await waitFor(() => expect(address()).toBe('/volumes'));
  });
});

describe('a volume in a cluster', () => {
  const claim = {
    state: 'pending',
    note: 'failed',
    text: { en: 'no server', zh: '没有服务器' },
    capacity: 0,
    expandable: null,
    kept: false,
    nodes: {},
  };
  const away = { ...volume, cluster: 'lab', claim: 'danlu-volume-0', storage_class: 'nfs', used: null };

  it('says what became of its storage while that is not as it should be', async () => {
    open('?tab=settings', { [`GET ${one}`]: whole({ ...away, made: claim as never }) });
    expect(await screen.findByText('no server')).toBeTruthy();
    expect(screen.getByText('Its storage is not there yet')).toBeTruthy();
    expect(screen.getByText('of 100 GiB, not measured')).toBeTruthy();
    expect(await screen.findByText('nfs')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says nothing where all is well, but what stays in the cluster when it is deleted', async () => {
    open('?tab=settings', { [`GET ${one}`]: whole({ ...away, made: { ...claim, state: 'bound', note: '', kept: true } as never }) });
    expect(await screen.findByText(/its data stays in the cluster/)).toBeTruthy();
    expect(screen.queryByText('no server')).toBeNull();
  });
});
