import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '@/testing/app';
import { act, dataset, list, openDatasets, shared, version, whole } from './testing';

const one = `datasets/${dataset.id}`;
const open = (search = '', answers: Record<string, unknown> = {}) => openDatasets(`/${one}${search}`, answers);
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const chooseInMenu = async (of: string, item: string | RegExp) => {
  fireEvent.click(await screen.findByRole('button', { name: `More for ${of}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
};

describe('a dataset', () => {
  it('says how it is used, and shows its card without what could do harm', async () => {
    const { sent } = open('', {
      [`GET ${one}`]: whole(dataset, '# Hello\n\n<img src=x onerror=alert(1)> [bad](javascript:alert(1))'),
      [`PATCH ${one}`]: whole(dataset, '# New'),
    });
    expect(await screen.findByText('cifar@latest')).toBeTruthy();
    expect(screen.getByText(/dataset: cifar@v2/)).toBeTruthy();
    expect(screen.getByText(/danlu\.dataset\("cifar@v2"\)/)).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Hello' })).toBeTruthy();
    expect(document.querySelector('main img, main a[href^="javascript"]')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    fireEvent.change(screen.getByLabelText('Text'), { target: { value: '# New' } });
    expect(await screen.findByRole('heading', { name: 'New' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(`PATCH ${one}`)).toEqual([{ card: '# New' }]));
  });

  it('has versions with tags, which are verified and deleted', async () => {
    const { sent, calls } = open('?tab=versions', {
      [`PUT ${one}/tags/best`]: version(1),
      [`DELETE ${one}/tags/train`]: null,
      [`POST ${one}/versions/v1/verify`]: act({ kind: 'verify' }),
      [`DELETE ${one}/versions/v1`]: null,
    });
    const row = (await screen.findByRole('link', { name: 'v2' })).closest('tr')!;
    expect(row.textContent).toMatch(/^v2latesttrain1,2005 MiB.*linlin:raw:\/cifar/);
    expect(await accessibilityProblems()).toEqual([]);
    await chooseInMenu('v2', 'Tags…');
    let dialog = await inDialog('Tags of v2');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove the tag train' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === `${one}/tags/train`)).toBe(true));
    expect(dialog.queryByText('latest')).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await chooseInMenu('v1', 'Tags…');
    dialog = await inDialog('Tags of v1');
    fireEvent.change(dialog.getByLabelText('Tag'), { target: { value: 'best' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Add tag' }));
    await waitFor(() => expect(sent(`PUT ${one}/tags/best`)).toEqual([{ version: 'v1' }]));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await chooseInMenu('v1', 'Verify');
    await waitFor(() => expect(sent(`POST ${one}/versions/v1/verify`)).toHaveLength(1));
    await chooseInMenu('v1', 'Delete version');
    dialog = await inDialog('Delete v1 of cifar?');
    fireEvent.click(dialog.getByRole('button', { name: 'Delete version' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === `${one}/versions/v1`)).toBe(true));
  });

  it('tells how far a snapshot is, without a share of what nobody knows, and cancels it', async () => {
    const { sent } = open('', {
      [`GET ${one}/acts`]: { items: [act({ id: 'a2', kind: 'verify', version: 'v2', files: 300 }), act()] },
      [`DELETE ${one}/acts/a1`]: act({ state: 'cancelled' }),
    });
    const making = await screen.findByRole('progressbar', { name: 'Making a version of lin:raw:/cifar' });
    expect(making.getAttribute('aria-valuenow')).toBeNull();
    expect(screen.getByText('120 files · 1 MiB looked at · 512 KiB new')).toBeTruthy();
    const verifying = screen.getByRole('progressbar', { name: 'Verifying v2' });
    await waitFor(() => expect(verifying.getAttribute('aria-valuenow')).toBe('25'));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getAllByRole('button', { name: 'Cancel' })[0]!);
    await waitFor(() => expect(sent(`DELETE ${one}/acts/a1`)).toHaveLength(1));
  });

  it('asks for its versions again once a snapshot is made', async () => {
    let made = false;
    open('?tab=versions', {
      [`GET ${one}/acts`]: () => ({ items: [act({ state: made ? 'done' : 'running' })] }),
      [`GET ${one}/versions`]: () => (made ? list(version(1)) : list()),
    });
    expect(await screen.findByText('No versions yet')).toBeTruthy();
    made = true;
    expect(await screen.findByRole('link', { name: 'v1' }, { timeout: 20_000 })).toBeTruthy();
  });

  it('says why the last snapshot failed, and which files are damaged', async () => {
    const error = { en: 'the folder is gone', zh: '目录已不存在' };
    open('', { [`GET ${one}/acts`]: { items: [act({ state: 'failed', error })] } });
    expect(await screen.findByText('The version of lin:raw:/cifar was not made')).toBeTruthy();
    expect(screen.getByText('the folder is gone')).toBeTruthy();
  });

  it('shows the files of a version as they were, and nothing that changes them', async () => {
    open('?tab=files&version=train', {
      [`GET ${one}/versions/v2/files`]: {
        items: [{ name: 'a.csv', key: 'a.csv', kind: 'file', size: 20, modified: dataset.created_at, target: null }],
        next_cursor: null,
        total: 1,
        whole: true,
      },
    });
    expect(await screen.findByRole('link', { name: 'Download a.csv' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLSelectElement>('Version').value).toBe('v2');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('has statistics, and tells what was left out', async () => {
    const { summary } = version(2);
    open('?tab=statistics', {
      [`GET ${one}/versions`]: list(
        version(2, {
          summary: {
            ...summary,
            links_out: 2,
            left_out: ['a/link'],
            tables: [{ path: 'labels.csv', format: 'csv', columns: [{ name: 'id', type: 'integer' }], rows: 500 }],
          },
        }),
      ),
    });
    expect((await screen.findByText('.png')).closest('tr')!.textContent).toBe('.png5004 MiB');
    expect(screen.getByText('no ending')).toBeTruthy();
    expect(screen.getByText('2 links lead out of the folder')).toBeTruthy();
    expect(screen.getByText('a/link')).toBeTruthy();
    expect(screen.getByText('integer').closest('tr')!.textContent).toBe('idinteger');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('tells what changed from one version to another, by kind', async () => {
    const { calls } = open('?tab=changes', {
      [`GET ${one}/versions/v2/diff`]: {
        old: 'v1',
        new: 'v2',
        items: [
          { path: 'a.txt', name: 'a.txt', kind: 'added', old_size: null, new_size: 10 },
          { path: 'b/c.txt', name: 'b/c.txt', kind: 'removed', old_size: 20, new_size: null },
        ],
        next_cursor: null,
      },
    });
    expect(await screen.findByText('From v1 to v2.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'b/c.txt' }).getAttribute('href')).toMatch(/version=v1&path=b&file=c\.txt/);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: /^Added/ }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'b/c.txt' })).toBeNull());
    fireEvent.change(screen.getByLabelText('Compare with'), { target: { value: 'v1' } });
    await waitFor(() => expect(calls.at(-1)!.query.get('old')).toBe('v1'));
  });

  it('shows where its versions come from and what reads them, others’ jobs without a name', async () => {
    const at = dataset.created_at;
    open('?tab=lineage', {
      [`GET ${one}/lineage`]: {
        nodes: [
          { id: 'p', kind: 'place', name: 'lin:raw:/cifar', owner: '', ref: null, at: null },
          { id: 'v', kind: 'version', name: 'lin:cifar@v1', owner: 'lin', ref: 'lin:cifar@v1', at },
          { id: 'j', kind: 'job', name: 'bert', owner: 'lin', ref: 'j1', at },
          { id: 'k', kind: 'job', name: '', owner: 'wang', ref: null, at },
        ],
        edges: [
          { source: 'p', target: 'v', kind: 'made' },
          { source: 'v', target: 'j', kind: 'read' },
          { source: 'v', target: 'k', kind: 'read' },
        ],
      },
    });
    const graph = within(await screen.findByRole('region', { name: 'Graph of the lineage' }));
    expect(graph.getByRole('link', { name: 'bert' }).getAttribute('href')).toMatch(/\/jobs\/j1$/);
    expect(graph.getByText('A job of somebody else')).toBeTruthy();
    const steps = within(screen.getByRole('region', { name: 'Step by step' }));
    expect(
      steps
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...(row as HTMLTableRowElement).cells].slice(0, 4).map(({ textContent }) => textContent)),
    ).toEqual([
      ['lin:raw:/cifar', 'made', 'lin:cifar@v1', 'lin'],
      ['lin:cifar@v1', 'read by', 'bert', 'lin'],
      ['lin:cifar@v1', 'read by', 'A job of somebody else', 'wang'],
    ]);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is shared as volumes are, to read or to make versions', async () => {
    const { sent } = open('?tab=sharing', { [`PUT ${one}/shares`]: whole(dataset) });
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'wang' } });
    fireEvent.change(screen.getByLabelText('Access'), { target: { value: 'rw' } });
    expect(screen.getByRole('option', { name: 'Read and make versions' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Share' }));
    await waitFor(() => expect(sent(`PUT ${one}/shares`)).toEqual([{ shares: [{ to: 'user', name: 'wang', mode: 'rw' }] }]));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is described, and goes to the trash after a question', async () => {
    const { sent, address } = open('?tab=settings', { [`PATCH ${one}`]: whole(dataset), [`DELETE ${one}`]: null });
    fireEvent.change(await screen.findByLabelText('Licence'), { target: { value: 'CC-BY-4.0' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(`PATCH ${one}`)).toEqual([{ licence: 'CC-BY-4.0' }]));
    fireEvent.click(screen.getByRole('button', { name: 'Move to the trash' }));
    const dialog = await inDialog('Move cifar to the trash?');
    fireEvent.click(dialog.getByRole('button', { name: 'Move to the trash' }));
    await waitFor(() => expect(address()).toBe('/datasets'));
  });

  it('of somebody else can only be read where it is shared to read', async () => {
    const other = `datasets/${shared.id}`;
    openDatasets(`/${other}?tab=versions`, {
      [`GET ${other}`]: whole(shared),
      [`GET ${other}/versions`]: list(version(1)),
      [`GET ${other}/acts`]: { items: [] },
    });
    expect(await screen.findByText('wang:corpus@latest')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'More for v1' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Files',
      'Statistics',
      'Changes',
      'Verify',
    ]);
    expect(screen.queryByRole('button', { name: 'New version' })).toBeNull();
  });
});
