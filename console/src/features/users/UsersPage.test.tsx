import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Answers, Call } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { ADMINISTRATES, group, user, userDetail } from '@/testing/people';
import { preferences, session } from '@/testing/samples';

const wang = user({ name: 'wang', display_name: 'Wang Hao', groups: [], email: '' });
const zhou = user({ name: 'zhou', display_name: '', groups: [], sign_in: 'invited' });
const gone = user({ name: 'gone', display_name: '', groups: [], disabled: true });
const link = { url: 'https://danlu.example/sign-in?code=abc', expires_at: '2026-05-08T10:00:00Z' };

function open(address: string, answers: Answers = {}, everywhere = ADMINISTRATES) {
  const console = openConsole(address, {
    'GET session': { ...session, user: { ...session.user, role: 'administrator' } },
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET groups': { items: [group(), group({ name: 'nlp-team' })], next_cursor: null },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET users': { items: [user(), wang, zhou, gone], next_cursor: null, total: 4 },
    'GET users/sara': userDetail(),
    'GET users/sara/keys': { items: [] },
    'GET all-tokens': { items: [], next_cursor: null },
    'GET users/sara/quota': { items: [], storage: [], budgets: [], limits: [], caps: [] },
    ...answers,
  });
  const sent = (call: string) =>
    console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body as Record<string, unknown>);
  return { ...console, sent };
}

/** The table draws its rows once it knows its size. */
const listed = () => screen.findByRole('link', { name: 'sara' });
const inDialog = async () => within(await screen.findByRole('dialog'));

describe('the people', () => {
  it('are listed with role, groups and state', async () => {
    open('/users');
    const row = (await listed()).closest('tr')!;
    expect(row.textContent).toContain('Sara Novak');
    expect(row.textContent).toContain('vision');
    expect(screen.getByRole('link', { name: 'zhou' }).closest('tr')!.textContent).toContain('No password yet');
    expect(screen.getByRole('link', { name: 'gone' }).closest('tr')!.textContent).toContain('Disabled');
    expect(screen.getByText('4 people')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are filtered by the server, and the filters stand in the address', async () => {
    const { calls, address } = open('/users');
    await listed();
    fireEvent.change(screen.getByLabelText('Role'), { target: { value: 'operator' } });
    fireEvent.change(screen.getByLabelText('State'), { target: { value: 'invited' } });
    await waitFor(() => expect(address()).toBe('/users?role=operator&state=invited'));
    await waitFor(() =>
      expect(
        calls.some(({ path, query }) => path === 'users' && query.get('role') === 'operator' && query.get('state') === 'invited'),
      ).toBe(true),
    );
  });

  it('say so where nobody matches, and lead back', async () => {
    const { address } = open('/users?search=nobody', { 'GET users': { items: [], next_cursor: null, total: 0 } });
    expect(await screen.findByText('No users match')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Reset filters' })[0]!);
    await waitFor(() => expect(address()).toBe('/users'));
  });

  it('are looked at, not changed, by operators', async () => {
    open('/users', {}, ['user:read']);
    await listed();
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Actions for sara' })).toBeNull();
  });
});

describe('a new person', () => {
  it('is invited by a link that is shown once', async () => {
    const { sent } = open('/users', { 'POST users/invite': { ...link, user: user({ name: 'mei' }) } });
    fireEvent.click(await screen.findByRole('button', { name: 'Invite' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('User name'), { target: { value: 'mei' } });
    fireEvent.click(await dialog.findByLabelText(/nlp-team/));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Create the link' }));
    expect(await screen.findByText(link.url)).toBeTruthy();
    expect(sent('POST users/invite')).toEqual([{ name: 'mei', role: 'engineer', display_name: '', email: '', groups: ['nlp-team'] }]);
    fireEvent.keyDown(screen.getByText(link.url), { key: 'Escape' });
    expect(screen.getByText(link.url)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText(link.url)).toBeNull());
  });

  it('is made with a password, and mistakes stand at their fields', async () => {
    const errors = [
      { loc: ['name'], code: 'taken', message: 'the name is taken' },
      { loc: ['email'], code: 'bad_form', message: 'this is no address' },
    ];
    const { sent } = open('/users', { 'POST users': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    fireEvent.click(await screen.findByRole('button', { name: 'New user' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('User name'), { target: { value: 'sara' } });
    fireEvent.change(dialog.getByLabelText('First password'), { target: { value: 'a long enough password' } });
    fireEvent.click(dialog.getByRole('button', { name: 'New user' }));
    expect(await dialog.findByText('the name is taken')).toBeTruthy();
    expect(dialog.getByText('this is no address')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(sent('POST users')).toMatchObject([{ name: 'sara', password: 'a long enough password' }]);
  });

  it('is made an administrator by administrators only', async () => {
    open('/users', { 'GET session': session });
    fireEvent.click(await screen.findByRole('button', { name: 'Invite' }));
    const role = (await inDialog()).getByLabelText('Role');
    expect(within(role).queryByRole('option', { name: 'Administrator' })).toBeNull();
    expect(within(role).getByRole('option', { name: 'Operator' })).toBeTruthy();
  });
});

async function menu(name: string, entry: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }));
}

describe('a person in the list', () => {
  it('is disabled only after it was said what becomes of the jobs', async () => {
    const { sent } = open('/users', { 'PATCH users/sara': user({ disabled: true }) });
    await menu('sara', 'Disable');
    const dialog = await inDialog();
    expect(await dialog.findByText(/2 jobs are queued or running/)).toBeTruthy();
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Disable' });
    expect(button.disabled).toBe(true);
    fireEvent.click(dialog.getByLabelText(/Stop them/));
    fireEvent.click(button);
    await waitFor(() => expect(sent('PATCH users/sara')).toEqual([{ disabled: true, jobs: 'stop' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('without jobs is asked nothing, unless some were started meanwhile', async () => {
    const busy = new Refusal(409, { type: 'has_active_jobs', title: 'x', detail: 'sara has 1 active job', errors: [] });
    const { sent } = open('/users', {
      'GET users/sara': userDetail({ active_jobs: 0 }),
      'PATCH users/sara': ({ body }: Call) => ((body as { jobs?: string }).jobs ? user({ disabled: true }) : busy),
    });
    await menu('sara', 'Disable');
    const dialog = await inDialog();
    expect(await dialog.findByText('No jobs are queued or running.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Disable' }));
    fireEvent.click(await dialog.findByLabelText(/Keep them/));
    fireEvent.click(dialog.getByRole('button', { name: 'Disable' }));
    await waitFor(() => expect(sent('PATCH users/sara')).toEqual([{ disabled: true }, { disabled: true, jobs: 'keep' }]));
  });

  it('is enabled again', async () => {
    const { sent } = open('/users', { 'PATCH users/gone': user({ name: 'gone' }) });
    await menu('gone', 'Enable');
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Enable' }));
    await waitFor(() => expect(sent('PATCH users/gone')).toEqual([{ disabled: false }]));
  });

  it('gets a new link after a warning', async () => {
    const { sent } = open('/users', { 'POST users/sara/link': link });
    await menu('sara', 'Reset sign-in');
    const dialog = await inDialog();
    expect(dialog.getByText(/The password is removed/)).toBeTruthy();
    expect(sent('POST users/sara/link')).toHaveLength(0);
    fireEvent.click(dialog.getByRole('button', { name: 'Create the link' }));
    expect(await screen.findByText(link.url)).toBeTruthy();
  });

  it('is edited', async () => {
    const { sent } = open('/users', { 'PATCH users/sara': user() });
    await menu('sara', 'Edit');
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Full name'), { target: { value: 'Sara N.' } });
    fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'operator' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PATCH users/sara')).toEqual([
        { role: 'operator', display_name: 'Sara N.', email: 'sara@example.org', groups: ['vision'] },
      ]),
    );
  });

  it('is not deleted as the last administrator', async () => {
    open('/users', {
      'DELETE users/sara': new Refusal(409, { type: 'conflict', title: 'x', detail: 'sara is the last administrator', errors: [] }),
    });
    await menu('sara', 'Delete');
    const dialog = await inDialog();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await dialog.findByText('sara is the last administrator')).toBeTruthy();
  });
});

async function choose(...names: string[]) {
  await listed();
  for (const name of names) fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  return within(screen.getByRole('toolbar'));
}

describe('many people', () => {
  it('are put into a group at once', async () => {
    const { sent } = open('/users', {
      'POST users/bulk': {
        items: [
          { name: 'sara', ok: true, error: null },
          { name: 'wang', ok: true, error: null },
        ],
      },
    });
    const bar = await choose('sara', 'wang');
    fireEvent.click(bar.getByRole('button', { name: 'Add to a group' }));
    const dialog = await inDialog();
    await waitFor(() => expect(within(dialog.getByLabelText('Group')).getAllByRole('option')).toHaveLength(3));
    fireEvent.change(dialog.getByLabelText('Group'), { target: { value: 'nlp-team' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Add to a group' }));
    await waitFor(() => expect(sent('POST users/bulk')).toEqual([{ names: ['sara', 'wang'], act: 'add_group', group: 'nlp-team' }]));
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  });

  it('are disabled with a word about their jobs; who was refused is told', async () => {
    const { sent } = open('/users', {
      'POST users/bulk': {
        items: [
          { name: 'sara', ok: true, error: null },
          { name: 'wang', ok: false, error: 'wang is you' },
        ],
      },
    });
    const bar = await choose('sara', 'wang');
    fireEvent.click(bar.getByRole('button', { name: 'Disable' }));
    const dialog = await inDialog();
    fireEvent.click(dialog.getByLabelText(/Keep them/));
    fireEvent.click(dialog.getByRole('button', { name: 'Disable' }));
    const refused = await screen.findByRole('list', { name: 'Refused' });
    expect(refused.textContent).toBe('wangwang is you');
    expect(sent('POST users/bulk')).toEqual([{ names: ['sara', 'wang'], act: 'disable', jobs: 'keep' }]);
  });

  it('are given a role, and offered only what suits them', async () => {
    const { sent } = open('/users', { 'POST users/bulk': { items: [{ name: 'wang', ok: true, error: null }] } });
    const bar = await choose('wang');
    expect(bar.queryByRole('button', { name: 'Enable' })).toBeNull();
    expect(bar.queryByRole('button', { name: 'Remove from a group' })).toBeNull();
    fireEvent.click(bar.getByRole('button', { name: 'Set role' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'viewer' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Set role' }));
    await waitFor(() => expect(sent('POST users/bulk')).toEqual([{ names: ['wang'], act: 'set_role', role: 'viewer' }]));
  });
});

describe('the page of a person', () => {
  it('tells where they belong and how they sign in', async () => {
    const key = { id: 'k1', name: 'laptop', type: 'ssh-ed25519', fingerprint: 'SHA256:abc', created_at: '2026-05-01T10:00:00Z' };
    open('/users/sara', { 'GET users/sara/keys': { items: [key] } });
    expect(await screen.findByText('SHA256:abc', { exact: false })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'nlp' }).getAttribute('href')).toBe('/projects/nlp');
    expect(screen.getByRole('link', { name: 'vision' }).getAttribute('href')).toBe('/groups/vision');
    expect(screen.getByRole('link', { name: '2 jobs' }).getAttribute('href')).toBe('/jobs?owner=sara');
    expect(screen.getByText('With a password')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is left when the person is deleted', async () => {
    const { address } = open('/users/sara', { 'DELETE users/sara': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(address()).toBe('/users'));
  });

  it('says so where there is nobody of that name', async () => {
    open('/users/nobody');
    expect(await screen.findByText('No such user')).toBeTruthy();
  });
});
