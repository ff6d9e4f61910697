import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Flavor } from '@/api/rules/flavors';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { node, preferences, session } from '@/testing/samples';
import { draftOf, FRESH, toSend } from './draft';

const small: Flavor = {
  name: 'a100-1',
  resources: { cpus: 8, memory: '64GiB', gpus: 1, gpu: 'A100', shm: '0B', rdma: false },
  classes: ['workspace'],
  description: 'One card',
};
const large: Flavor = {
  name: 'h100-8',
  resources: { cpus: 96, memory: '1TiB', gpus: 8, gpu: 'H100', shm: '64GiB', rdma: true },
  classes: [],
  description: '',
};

function open(answers: Answers = {}, address = '/flavors', everywhere = ['flavor:write']) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET nodes': { items: [node()] },
    'GET flavors': { items: [small, large], next_cursor: null },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    ...answers,
  });
  return {
    ...console,
    sent: (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body),
  };
}
const rows = async () => (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent);
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the flavors', () => {
  it('tell their size and what they are for', async () => {
    open();
    const [first, second] = await rows();
    expect(first).toContain('a100-11 × A100864 GiB––WorkspaceOne card');
    expect(second).toContain('h100-88 × H100961 TiB64 GiByesAll classes');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are searched, and the search stands in the address', async () => {
    const { address } = open();
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'h100' } });
    await waitFor(() => expect(address()).toBe('/flavors?search=h100'));
    expect(await rows()).toHaveLength(1);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe('/flavors'));
  });

  it('are looked at by everybody and changed by those who may', async () => {
    open({}, '/flavors', []);
    await rows();
    expect(screen.queryByRole('button', { name: 'New flavor' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('say what to do where there are none', async () => {
    open({ 'GET flavors': { items: [], next_cursor: null } });
    expect(await screen.findByText('No flavors yet')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Generate from a node' })).toBeTruthy();
  });
});

describe('a flavor', () => {
  it('is made with the size that was typed, and mistakes stand at their fields', async () => {
    const wrong = new Refusal(422, {
      type: 'invalid',
      title: 'x',
      detail: 'x',
      errors: [{ loc: ['resources', 'gpus'], code: 'out_of_range', message: 'at most 8' }],
    });
    const { sent } = open({ 'POST flavors': ({ body }: { body: Flavor }) => (body.resources.gpus > 8 ? wrong : small) });
    fireEvent.click(await screen.findByRole('button', { name: 'New flavor' }));
    const dialog = await inDialog('New flavor');
    const type = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
    type('Name', 'a100-half');
    type('GPUs', '16');
    type('GPU model', 'A100');
    type('Memory', '32');
    fireEvent.click(dialog.getByLabelText('Workspace'));
    fireEvent.click(dialog.getByRole('button', { name: 'Create flavor' }));
    expect(await dialog.findByText('at most 8')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
    type('GPUs', '0.5');
    fireEvent.click(dialog.getByRole('button', { name: 'Create flavor' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('POST flavors').at(-1)).toEqual({
      name: 'a100-half',
      classes: ['workspace'],
      description: '',
      resources: { cpus: 1, memory: '32GiB', gpus: 0.5, gpu: 'A100', shm: '0B', rdma: false },
    });
  });

  it('is sent as it was read', () => {
    expect(toSend(draftOf(large))).toEqual(large);
    expect(toSend({ ...FRESH, cpus: 'many' }).resources).toMatchObject({ cpus: 'many', gpus: 0 });
  });

  it('is changed without its name', async () => {
    const { sent } = open({ 'PATCH flavors/a100-1': small });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit a100-1' }));
    const dialog = await inDialog('Edit a100-1');
    fireEvent.change(dialog.getByLabelText('CPUs'), { target: { value: '12' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PATCH flavors/a100-1')).toMatchObject([{ resources: { cpus: 12, memory: '64GiB' }, classes: ['workspace'] }]),
    );
  });
});

describe('many flavors', () => {
  it('are changed at once, and what was refused is told', async () => {
    const { sent } = open({
      'PATCH flavors': {
        items: [
          { name: 'a100-1', ok: true, error: null },
          { name: 'h100-8', ok: false, error: 'it is gone' },
        ],
      },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const dialog = await inDialog('Edit 2 flavors');
    expect(dialog.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
    fireEvent.click(dialog.getByLabelText('Change the classes'));
    fireEvent.click(dialog.getByLabelText('Single node'));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('it is gone')).toBeTruthy();
    expect(sent('PATCH flavors')).toEqual([{ names: ['a100-1', 'h100-8'], classes: ['single'] }]);
  });

  it('are removed after saying who uses them', async () => {
    const items = [{ name: 'a100-1', used_by: 2, ok: true, error: null }];
    const { sent } = open({ 'POST flavors/delete': { items } });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove a100-1' }));
    const dialog = await inDialog('Remove this flavor?');
    expect(await dialog.findByText('used by 2 jobs')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(sent('POST flavors/delete')).toEqual([
        { names: ['a100-1'], preview: true },
        { names: ['a100-1'], preview: false },
      ]),
    );
  });

  it('are proposed from a node, and those that are marked are made', async () => {
    const proposals = {
      items: [
        { flavor: small, exists: true },
        { flavor: { ...small, name: 'a100-2' }, exists: false },
        { flavor: { ...small, name: 'a100-4' }, exists: false },
      ],
      text: { en: '', zh: '' },
    };
    const { sent } = open({ 'POST flavors/generate': proposals, 'POST flavors': small });
    fireEvent.click(await screen.findByRole('button', { name: 'Generate from a node' }));
    const dialog = await inDialog('Generate from a node');
    fireEvent.click(await dialog.findByLabelText(/^a100-4/));
    expect(dialog.getByLabelText(/^a100-1/).hasAttribute('disabled')).toBe(true);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Create 1 flavor' }));
    await waitFor(() => expect(sent('POST flavors')).toMatchObject([{ name: 'a100-2' }]));
    expect(sent('POST flavors/generate')).toEqual([{ node: 'a100-1', preview: true }]);
  });
});
