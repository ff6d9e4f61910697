import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Answers, Call } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { ADMINISTRATES, group } from '@/testing/people';
import { preferences, session } from '@/testing/samples';

const detail = { ...group(), member_names: ['sara', 'wang'] };

function open(address: string, answers: Answers = {}, everywhere = ADMINISTRATES) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET groups': { items: [group(), group({ name: 'staff', permissions: [], description: '' })], next_cursor: null },
    'GET groups/vision': detail,
    'GET groups/vision/quota': { items: [], storage: [], budgets: [], limits: [], caps: [] },
    ...answers,
  });
  const sent = (call: string) =>
    console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body as Record<string, unknown>);
  return { ...console, sent };
}

const inDialog = async () => within(await screen.findByRole('dialog'));

describe('the groups', () => {
  it('tell what they let their members do', async () => {
    open('/groups');
    const row = (await screen.findByRole('link', { name: 'vision' })).closest('tr')!;
    expect(row.textContent).toBe("vision2Read other people's jobs and logsCameras");
    expect(screen.getByRole('link', { name: 'staff' }).closest('tr')!.textContent).toContain('No permissions');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('say what to do where there are none', async () => {
    open('/groups', { 'GET groups': { items: [], next_cursor: null } });
    expect(await screen.findByText(/Create one to give some people more permissions/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'New group' })).toBeTruthy();
  });

  it('are made with a name, and one goes on to the group', async () => {
    const { address, sent } = open('/groups', { 'POST groups': group() });
    fireEvent.click(await screen.findByRole('button', { name: 'New group' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'vision' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create group' }));
    await waitFor(() => expect(address()).toBe('/groups/vision'));
    expect(sent('POST groups')).toEqual([{ name: 'vision', description: '', permissions: [] }]);
  });
});

describe('the permissions of a group', () => {
  it('are ticked and saved; what one may not do oneself cannot be granted', async () => {
    const { sent } = open('/groups/vision', { 'PATCH groups/vision': detail });
    const read = await screen.findByLabelText<HTMLInputElement>(/Read other people's jobs and logs/);
    expect(read.checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>(/Add and change clusters/).disabled).toBe(true);
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(save.disabled).toBe(true);
    fireEvent.click(screen.getByLabelText(/Stop other people's jobs/));
    fireEvent.click(read);
    fireEvent.click(save);
    await waitFor(() => expect(sent('PATCH groups/vision')).toEqual([{ permissions: ['job:stop'] }]));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('go back to what they were', async () => {
    open('/groups/vision');
    fireEvent.click(await screen.findByLabelText(/Stop other people's jobs/));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(screen.getByLabelText<HTMLInputElement>(/Stop other people's jobs/).checked).toBe(false);
  });

  it('are only looked at by those who do not govern groups', async () => {
    open('/groups/vision', {}, ['group:read']);
    expect((await screen.findByLabelText<HTMLInputElement>(/Stop other people's jobs/)).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  });
});

describe('the members of a group', () => {
  const report = {
    changed: ['chen'],
    already: ['sara'],
    unknown: [
      { word: 'olag', suggestion: 'olga' },
      { word: 'x9', suggestion: null },
    ],
  };

  it('are pasted, looked at and then added', async () => {
    const { sent } = open('/groups/vision', { 'POST groups/vision/members': report });
    fireEvent.click(await screen.findByRole('button', { name: 'Add members' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Who'), { target: { value: 'chen, sara; olag\nx9' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Preview' }));
    expect(await dialog.findByText('1 person would be added')).toBeTruthy();
    expect(dialog.getByText('1 is already in it')).toBeTruthy();
    expect(dialog.getByText('2 names are unknown')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Did you mean olga?' }));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Who').value).toBe('chen, sara; olga\nx9');
    fireEvent.click(await dialog.findByRole('button', { name: 'Add 1 person' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('POST groups/vision/members')).toEqual([
      { text: 'chen, sara; olag\nx9', preview: true },
      { text: 'chen, sara; olga\nx9', preview: true },
      { text: 'chen, sara; olga\nx9' },
    ]);
  });

  it('come from a file, which is looked at right away', async () => {
    const { sent } = open('/groups/vision', { 'POST groups/vision/members': report });
    fireEvent.click(await screen.findByRole('button', { name: 'Add members' }));
    const dialog = await inDialog();
    await userEvent.upload(
      document.querySelector<HTMLInputElement>('input[type=file]')!,
      new File(['name\nchen'], 'people.csv', { type: 'text/csv' }),
    );
    expect(await dialog.findByText('1 person would be added')).toBeTruthy();
    expect(sent('POST groups/vision/members')).toEqual([{ text: 'name\nchen', preview: true }]);
  });

  it('that cannot be read are told at the field', async () => {
    const errors = [{ loc: ['text'], code: 'too_many', message: '6000 names are too many at once' }];
    open('/groups/vision', { 'POST groups/vision/members': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Add members' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Who'), { target: { value: 'a' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Preview' }));
    expect(await dialog.findByText('6000 names are too many at once')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('are taken out after a question', async () => {
    const { sent } = open('/groups/vision', {
      'POST groups/vision/members': ({ body }: Call) => ({ changed: (body as { names: string[] }).names, already: [], unknown: [] }),
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select wang' }));
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Remove' }));
    expect(sent('POST groups/vision/members')).toEqual([]);
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent('POST groups/vision/members')).toEqual([{ names: ['wang'], remove: true }]));
  });
});

describe('a group', () => {
  it('is described anew', async () => {
    const { sent } = open('/groups/vision', { 'PATCH groups/vision': detail });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Description'), { target: { value: 'Cameras and more' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('PATCH groups/vision')).toEqual([{ description: 'Cameras and more' }]));
  });

  it('that a priority class needs is not deleted', async () => {
    open('/groups/vision', {
      'DELETE groups/vision': new Refusal(409, { type: 'conflict', title: 'x', detail: 'priority high names it', errors: [] }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await inDialog();
    expect(dialog.getByText(/2 people lose the permissions of the group/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await dialog.findByText('priority high names it')).toBeTruthy();
  });

  it('says so where there is none of that name', async () => {
    open('/groups/gone');
    expect(await screen.findByText('No such group')).toBeTruthy();
  });
});
