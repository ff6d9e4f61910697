import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { TemplateRow } from '@/api/templates';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const bert: TemplateRow = {
  id: '0abcdefghjkmn',
  owner: session.user.name,
  name: 'bert',
  description: 'Pre-training',
  project: null,
  kind: 'training',
  created_at: '2026-01-31T12:00:00Z',
  changed_at: '2026-01-31T12:00:00Z',
  can_edit: true,
};
const shared = { ...bert, id: '1abcdefghjkmn', owner: 'wang', name: 'gpt', project: 'nlp', can_edit: false };
const projects = [
  { name: 'public', open: true, my_role: null },
  { name: 'nlp', open: false, my_role: 'member' },
  { name: 'speech', open: false, my_role: 'viewer' },
];

function open(address: string, answers: Answers = {}) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['template:write'], everywhere: [] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET projects': { items: projects, next_cursor: null },
    'GET templates': { items: [bert, shared], next_cursor: null },
    ...answers,
  });
  const sent = (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);
  return { ...console, sent };
}

const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the templates', () => {
  it('are listed with whose they are and whom they are shared with', async () => {
    open('/templates');
    const row = (await screen.findByRole('link', { name: 'bert' })).closest('tr')!;
    expect(row.textContent).toMatch(/^bertTrainingYouOnly you.*Pre-training$/);
    const other = screen.getByRole('link', { name: 'gpt' }).closest('tr')!;
    expect(other.textContent).toMatch(/^gptTrainingwangnlp/);
    expect(within(other).queryByRole('button')).toBeNull();
    expect(screen.getByRole('link', { name: 'bert' }).getAttribute('href')).toContain(`/jobs/new?template=${bert.id}`);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('say what to do where there are none', async () => {
    open('/templates', { 'GET templates': { items: [], next_cursor: null } });
    expect(await screen.findByText('No templates yet')).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'New job' })).toHaveLength(2); // in the header, and here
  });

  it('are renamed and shared with projects that one may queue in; mistakes stand at their fields', async () => {
    const taken = new Refusal(422, {
      type: 'invalid',
      title: 'x',
      detail: 'x',
      errors: [{ loc: ['name'], code: 'bad_form', message: 'no spaces' }],
    });
    const { sent } = open('/templates', {
      [`PATCH templates/${bert.id}`]: ({ body }: { body: TemplateRow }) =>
        body.name.includes(' ') ? taken : { ...bert, ...body, job: {} },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit bert' }));
    const dialog = await inDialog('Edit bert');
    const name = dialog.getByLabelText('Name');
    fireEvent.change(name, { target: { value: 'bert base' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('no spaces')).toBeTruthy();
    fireEvent.change(name, { target: { value: 'bert-base' } });
    fireEvent.click(dialog.getByRole('combobox', { name: 'Shared with' }));
    const names = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
    expect(names).toEqual(['public', 'nlp']);
    fireEvent.click(screen.getByRole('option', { name: 'nlp' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(`PATCH templates/${bert.id}`).at(-1)).toEqual({ name: 'bert-base', description: 'Pre-training', project: 'nlp' });
  });

  it('are deleted after a question', async () => {
    const { sent } = open('/templates', { [`DELETE templates/${bert.id}`]: undefined });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove bert' }));
    const dialog = await inDialog('Remove bert?');
    expect(dialog.getByText('Jobs made from it stay as they are.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent(`DELETE templates/${bert.id}`)).toHaveLength(1));
  });
});
