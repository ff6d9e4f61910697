import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '@/api/problem';
import { activateLocale } from '@/app/i18n';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { node, preferences, session } from '@/testing/samples';
import { changesOf, mistakesIn, reportedBy, rowsOf } from '../acting/labels';

const labelled = node({ labels: { zone: 'east', rack: 'r1', org: 'nlp' }, given_labels: { rack: 'r1', org: 'nlp' } });

function open(answers: Answers = {}, everywhere = ['node:write']) {
  const console = openConsole('/nodes/a100-1', {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['node:read'], everywhere },
    'GET nodes/a100-1': labelled,
    'GET nodes/a100-1/events': { items: [], next_cursor: null },
    ...answers,
  });
  return { sent: () => console.calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]) };
}
const fact = async (name: string) => (await screen.findByText(name)).parentElement!;
async function edit() {
  fireEvent.click(await screen.findByRole('button', { name: 'Edit labels' }));
  return within(await screen.findByRole('dialog', { name: 'Labels of a100-1' }));
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

afterEach(() => activateLocale('en'));

describe('the labels of a node', () => {
  it('that it reports stand apart from those it was given, and only some may change these', async () => {
    open({}, []);
    expect((await fact('Reported labels')).textContent).toBe('Reported labelszone=east');
    expect((await fact('Assigned labels')).textContent).toBe('Assigned labelsrack=r1org=nlp');
    expect(screen.queryByRole('button', { name: 'Edit labels' })).toBeNull();
  });

  it('are added, changed and removed in one go', async () => {
    const { sent } = open({ 'PATCH nodes/a100-1': labelled });
    const dialog = await edit();
    expect(dialog.getByText('zone=east')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    type(dialog.getByLabelText('Value of label 1'), 'r2');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove org' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Add a label' }));
    type(dialog.getByLabelText('Name of label 2'), ' team ');
    type(dialog.getByLabelText('Value of label 2'), 'vision');
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent()).toEqual([['nodes/a100-1', { labels: { rack: 'r2', team: 'vision', org: null } }]]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that are wrong are told at their row', async () => {
    const errors = [{ loc: ['labels', 'a b'], code: 'bad_form', message: 'a label has no spaces' }];
    open({ 'PATCH nodes/a100-1': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    const dialog = await edit();
    type(dialog.getByLabelText('Name of label 1'), 'a b');
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('a label has no spaces')).toBeTruthy();
    expect(dialog.getByLabelText('Name of label 1').getAttribute('aria-invalid')).toBe('true');
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('that are wrong are told in the language of the reader', async () => {
    await activateLocale('zh-CN');
    const text = { en: 'a label has no spaces', zh: '标签中不能有空格' };
    const errors = [{ loc: ['labels', 'a b'], code: 'bad_form', message: text.en, text }];
    const refused = new ApiError({ type: 'invalid', title: 'x', status: 422, detail: null, errors });
    expect(mistakesIn(refused).at).toEqual({ 'a b': text.zh });
  });

  it('have one name each, and say when they overrule what the node reports', async () => {
    open();
    const dialog = await edit();
    type(dialog.getByLabelText('Name of label 2'), 'rack');
    expect(dialog.getByText('rack is already set')).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    type(dialog.getByLabelText('Name of label 2'), 'zone');
    expect(dialog.getByText('The node itself reports this label; this value overrides it.')).toBeTruthy();
  });

  it("are told as a whole what is no label's fault", async () => {
    open({ 'PATCH nodes/a100-1': new Refusal(404, { type: 'not_found', title: 'x', detail: 'it just left', errors: [] }) });
    const dialog = await edit();
    type(dialog.getByLabelText('Value of label 1'), 'r2');
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('it just left');
  });

  it('renamed are one taken away and one given', () => {
    const [rack, org] = rowsOf(labelled);
    expect(changesOf(labelled, [rack!, { ...org!, name: 'team' }])).toEqual({ team: 'nlp', org: null });
    expect(changesOf(labelled, [...rowsOf(labelled), { id: 9, name: ' ', value: 'x' }])).toEqual({});
    expect(reportedBy(labelled)).toEqual({ zone: 'east' });
  });
});
