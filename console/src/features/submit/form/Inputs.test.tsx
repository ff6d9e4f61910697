import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
const raw = { id: 'v1', owner: me, name: 'raw', title: `${me}:raw`, kind: 'filesystem', mode: 'rw', public: false };

async function openInputs() {
  await open('/jobs/new', { 'GET volumes': { items: [raw], next_cursor: null } });
  await user.click(screen.getByRole('button', { name: /^Inputs/ }));
  await screen.findByRole('button', { name: 'Add an input' });
}

const group = (name: string) => within(screen.getByRole('group', { name: `Input ${name}` }));

describe('the inputs of a job', () => {
  it('are written as fields and stand in the file', async () => {
    await openInputs();
    await user.click(screen.getByRole('button', { name: 'Add an input' }));
    await user.click(group('Input 1').getByLabelText(/^From/));
    await user.paste('https://example.org/set.tgz');
    await waitFor(() => expect(file()).toContain('inputs:\n  - from: https://example.org/set.tgz\n'));
    const card = group('https://example.org/set.tgz');
    await user.click(card.getByLabelText(/^Unpack/));
    await user.selectOptions(card.getByLabelText('Files that are there already'), 'refuse');
    await waitFor(() => expect(file()).toContain('unpack: true\n    existing: refuse'));
    expect(card.queryByLabelText(/^Branch/)).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove the input https://example.org/set.tgz' }));
    await waitFor(() => expect(file()).not.toContain('inputs'));
  });

  it('offer what goes with a Git repository, and tell of what the file says', async () => {
    await openInputs();
    write('kind: training\nname: bert\ncommand: train\ninputs:\n  - from: git+https://example.org/repo\n    to: raw:/repo/\n    ref: v2\n');
    await waitFor(() => expect(group('git+https://example.org/repo').getByLabelText(/^Branch/)).toHaveProperty('value', 'v2'));
    expect(group('git+https://example.org/repo').queryByLabelText(/^Unpack/)).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Inputs/ }));
    expect(screen.getByRole('button', { name: /^Inputs/ }).textContent).toContain('git+https://example.org/repo → raw:/repo/');
  });
});
