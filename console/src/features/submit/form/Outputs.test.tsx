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
const volume = (owner: string, name: string, mode: string) => ({
  id: name,
  owner,
  name,
  title: `${owner}:${name}`,
  kind: 'filesystem',
  mode,
});
const dataset = (owner: string, name: string, mode: string) => ({ id: name, owner, name, title: `${owner}:${name}`, mode, latest: null });
const answers = {
  'GET volumes': { items: [volume('wang', 'corpus', 'ro'), volume(me, 'models', 'rw')], next_cursor: null },
  'GET datasets': { items: [dataset('wang', 'shown', 'ro'), dataset(me, 'features', 'rw')], next_cursor: null },
};
const group = (name: string) => within(screen.getByRole('group', { name: `Output ${name}` }));

describe('the outputs of a job', () => {
  it('go to what one may write to, and stand in the file', async () => {
    await open('/jobs/new', answers);
    await user.click(screen.getByRole('button', { name: /^Outputs/ }));
    await user.click(await screen.findByRole('button', { name: 'Keep in a volume' }));
    await waitFor(() => expect(file()).toContain('outputs:\n  - path: out\n    to: models:/{name}-{run}/\n'));
    await user.click(screen.getByRole('button', { name: 'Keep as a dataset version' }));
    await waitFor(() => expect(file()).toContain('  - path: out\n    dataset: features\n'));
    expect(document.querySelector('datalist option[value^="wang"]')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    await user.click(screen.getAllByRole('button', { name: 'Remove the output out' })[0]!);
    await waitFor(() => expect(file()).not.toContain('models'));
  });

  it('follow what is written in the file', async () => {
    await open('/jobs/new', answers);
    await user.click(screen.getByRole('button', { name: /^Outputs/ }));
    await write('kind: training\nname: a\ncommand: x\noutputs:\n  - {path: best, dataset: features, tag: clean, when: always}\n');
    await waitFor(() => expect(group('best').getByLabelText<HTMLInputElement>(/^Tag/).value).toBe('clean'));
    expect(group('best').getByLabelText<HTMLSelectElement>('When').value).toBe('always');
    expect(group('best').queryByLabelText(/^Folder of a volume/)).toBeNull();
  });
});
