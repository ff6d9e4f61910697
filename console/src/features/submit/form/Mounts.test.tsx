import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VolumeRow } from '@/api/volumes';
import { accessibilityProblems } from '@/testing/app';
import { setWidth } from '@/testing/fields';
import { session } from '@/testing/samples';
import { file, open, user, write } from '../testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});
afterEach(() => setWidth(1024));

const me = session.user.name;
const volume = (owner: string, name: string, more: Partial<VolumeRow> = {}) => ({
  id: `${owner}-${name}`,
  owner,
  name,
  title: `${owner}:${name}`,
  kind: 'filesystem',
  mode: 'rw',
  public: false,
  ...more,
});
const volumes = {
  items: [volume(me, 'ckpt', { kind: 'block' }), volume('wang', 'corpus', { mode: 'ro', public: true }), volume('zhao', 'lab')],
  next_cursor: null,
};

async function openMounts() {
  await open('/jobs/new', { 'GET volumes': volumes });
  await user.click(screen.getByRole('button', { name: /^Mounts/ }));
  await screen.findByRole('button', { name: 'Add a volume' });
}

const newVolume = () => screen.getByRole('link', { name: 'New volume of this kind' }).getAttribute('href');
const group = (name: string) => within(screen.getByRole('group', { name: `Mount ${name}` }));

describe('the mounts of a job', () => {
  it('are chosen among one’s own, shared and public volumes, and stand in the file', async () => {
    await openMounts();
    await user.click(screen.getByRole('button', { name: 'Add a volume' }));
    await waitFor(() => expect(file()).toContain('mounts:\n  - volume: ckpt\n    path: /data\n'));
    const what = group('ckpt').getByLabelText('What');
    expect([...what.querySelectorAll('optgroup')].map(({ label, children }) => [label, children.length])).toEqual([
      ['Mine', 1],
      ['Shared with me', 1],
      ['Public', 1],
      ['On the node', 1],
    ]);
    await user.selectOptions(what, 'wang:corpus');
    await waitFor(() => expect(file()).toContain('volume: wang:corpus'));
    // What is only shared to read is not offered to write.
    expect([...group('wang:corpus').getByLabelText('Access').querySelectorAll('option')].map(({ value }) => value)).toEqual(['ro']);
    await user.click(screen.getByRole('button', { name: 'Add local scratch' }));
    await waitFor(() => expect(file()).toContain('- local: 50GiB\n    path: /data2'));
    expect(await accessibilityProblems()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove the mount wang:corpus' }));
    await waitFor(() => expect(file()).not.toContain('corpus'));
  });

  it('follow what is written in the file', async () => {
    await openMounts();
    await write('kind: training\nname: a\ncommand: x\nmounts:\n  - {volume: ckpt, path: /ckpt, mode: rw, busy: refuse}\n');
    await waitFor(() => expect(group('ckpt').getByLabelText<HTMLInputElement>(/^Path in the job/).value).toBe('/ckpt'));
    expect(group('ckpt').getByLabelText<HTMLSelectElement>('If it is taken').value).toBe('refuse');
  });

  it('refuse a block volume that several tasks would write to, and say what would serve', async () => {
    await openMounts();
    await write('kind: training\nname: a\ncommand: x\nnodes: 2\nmounts:\n  - {volume: ckpt, path: /ckpt, mode: rw}\n');
    await screen.findByText('One task writes to a block volume; this job has 2 tasks.');
    await user.click(screen.getByRole('button', { name: 'Use zhao:lab' }));
    await waitFor(() => expect(file()).toContain('zhao:lab'));
    expect(screen.queryByText(/One task writes to a block volume/)).toBeNull();
  });

  it('recommend the kind of volume that serves the job, for a new one too, and offer no writing that cannot be', async () => {
    await openMounts();
    expect(await screen.findByText(/^Recommended for what is only read/)).toBeTruthy();
    expect(newVolume()).toMatch(/make=filesystem/);
    await write('kind: training\nname: a\ncommand: x\nmounts:\n  - {volume: ckpt, path: /ckpt, mode: rw}\n');
    expect(await screen.findByText(/^Recommended for one task that writes/)).toBeTruthy();
    expect(newVolume()).toMatch(/make=block/);
    await write('kind: training\nname: a\ncommand: x\nnodes: 2\nmounts:\n  - {volume: ckpt, path: /ckpt}\n');
    expect(await screen.findByText(/^Recommended for 2 tasks/)).toBeTruthy();
    expect(newVolume()).toMatch(/make=filesystem/);
    expect(await screen.findByText('Block: the 2 tasks of this job can only read it.')).toBeTruthy();
    expect([...group('ckpt').getByLabelText('Access').querySelectorAll('option')].map(({ value }) => value)).toEqual(['ro']);
  });
});

const dataset = (owner: string, name: string, latest: string | null) => ({
  id: `${owner}-${name}`,
  owner,
  name,
  title: `${owner}:${name}`,
  mode: 'ro',
  latest,
  public: false,
});

describe('the datasets that a job mounts', () => {
  it('are chosen by name and version', async () => {
    await open('/jobs/new', {
      'GET volumes': volumes,
      'GET datasets': { items: [dataset(me, 'cifar', 'v2'), dataset('wang', 'empty', null)], next_cursor: null },
      [`GET datasets/${me}-cifar/versions`]: {
        items: [
          { version: 'v2', tags: ['latest', 'clean'] },
          { version: 'v1', tags: [] },
        ],
        next_cursor: null,
      },
    });
    await user.click(screen.getByRole('button', { name: /^Mounts/ }));
    await user.click(await screen.findByRole('button', { name: 'Add a dataset' }));
    await waitFor(() => expect(file()).toContain('mounts:\n  - dataset: cifar@latest\n    path: /data\n'));
    const version = group('cifar@latest').getByLabelText<HTMLSelectElement>('Version');
    await waitFor(() => expect([...version.options].map(({ value }) => value)).toEqual(['latest', 'clean', 'v2', 'v1']));
    await user.selectOptions(version, 'v1');
    await waitFor(() => expect(file()).toContain('dataset: cifar@v1'));
    // What has no version cannot be mounted, and nothing of a version is written to.
    expect(group('cifar@v1').queryByRole('option', { name: /empty/ })).toBeNull();
    expect(group('cifar@v1').queryByLabelText('Access')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    await user.selectOptions(group('cifar@v1').getByLabelText('What'), 'ckpt');
    await waitFor(() => expect(file()).toContain('- volume: ckpt\n    path: /data'));
  });
});
