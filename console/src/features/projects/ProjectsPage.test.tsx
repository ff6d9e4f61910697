import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Answers, Call } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { ADMINISTRATES, member, project, request } from '@/testing/people';
import { preferences, session } from '@/testing/samples';

const OWN = ['project:create', 'request:write', 'project:read'];
const shared = project({ name: 'public', open: true, weight: 1, description: "Everybody's", members: 0 });
const speech = project({ name: 'speech', weight: null, my_role: 'member', closed: true, description: '' });
const standing = {
  at: '2026-05-01T10:00:00Z',
  project: 'nlp',
  weight: 2,
  account: 'nlp',
  running: 2,
  queued: 1,
  amounts: [
    { resource: 'A100', held: 16, queued: 8, guarantee: null, cap: 16, deserved: 16, level: 1 },
    { resource: 'cpus', held: 0, queued: 0, guarantee: null, cap: null, deserved: null, level: null },
  ],
};

function open(address: string, answers: Answers = {}, everywhere: string[] = []) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: [...OWN, ...everywhere], everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET projects': { items: [project(), shared, speech], next_cursor: null },
    'GET projects/nlp': project(),
    'GET projects/nlp/standing': standing,
    'GET projects/nlp/members': { items: [member(), member({ user: 'wang', display_name: 'Wang Hao', role: 'member' })] },
    'GET clusters': { items: [], next_cursor: null },
    'GET priorities': { items: [], next_cursor: null },
    'GET flavors': { items: [], next_cursor: null },
    'GET trends': { since: '2026-05-01T00:00:00Z', until: '2026-05-08T00:00:00Z', step: 'hour', lines: [], capacity: [] },
    ...answers,
  });
  const sent = (call: string) =>
    console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body as Record<string, unknown>);
  return { ...console, sent };
}

const inDialog = async () => within(await screen.findByRole('dialog'));
const rowOf = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!;

describe('the projects', () => {
  it('tell what one is in them, and which can be joined', async () => {
    open('/projects');
    expect(within(await rowOf('nlp')).getByRole('button', { name: 'Ask to join nlp' })).toBeTruthy();
    expect((await rowOf('public')).textContent).toContain('Open to everybody');
    expect((await rowOf('speech')).textContent).toBe('speechMember2Uses the share of publicClosed–');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are joined by asking, with a note', async () => {
    const { sent } = open('/projects', { 'POST requests': request() });
    fireEvent.click(await screen.findByRole('button', { name: 'Ask to join nlp' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Why you want to join'), { target: { value: ' the tokenizer ' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send the request' }));
    await waitFor(() => expect(sent('POST requests')).toEqual([{ kind: 'join', subject: 'nlp', note: 'the tokenizer' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('that one has asked to join are not asked again', async () => {
    open('/projects', { 'GET requests': { items: [request({ user: 'lin', can_decide: false })], next_cursor: null, total: 1 } });
    await waitFor(async () => expect((await rowOf('nlp')).textContent).toContain('Request pending'));
  });

  it("are one's own or all, and found by a word", async () => {
    const { address } = open('/projects');
    await rowOf('nlp');
    fireEvent.click(screen.getByRole('radio', { name: 'Mine' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'nlp' })).toBeNull());
    expect(address()).toBe('/projects?mine=yes');
    fireEvent.change(screen.getByLabelText('Search projects'), { target: { value: 'zzz' } });
    expect(await screen.findByText('No projects match')).toBeTruthy();
  });

  it('are made by anybody, and lead to their page', async () => {
    const { address, sent } = open('/projects', { 'POST projects': project() });
    fireEvent.click(await screen.findByRole('button', { name: 'New project' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'nlp' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create project' }));
    await waitFor(() => expect(address()).toBe('/projects/nlp'));
    expect(sent('POST projects')).toEqual([{ name: 'nlp', description: '' }]);
  });

  it('cannot be made by those who look on', async () => {
    open('/projects', { 'GET permissions': { items: ['project:read'], everywhere: [] } });
    await rowOf('nlp');
    expect(screen.queryByRole('button', { name: 'New project' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ask to join nlp' })).toBeNull();
  });
});

describe('a project', () => {
  it('shows a stranger how it stands, not who belongs to it', async () => {
    open('/projects/nlp');
    expect(await screen.findByRole('img', { name: 'A100: uses 16 · waits for 8 · deserves 16 · at most 16' })).toBeTruthy();
    expect(screen.getByText(/2 jobs running, 1 waiting\./)).toBeTruthy();
    expect(screen.getByText('It has 2 members. Only members see who.')).toBeTruthy();
    expect(screen.queryByText("Administrators' settings")).toBeNull();
    expect(screen.queryByRole('button', { name: 'Leave' })).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is left after a question', async () => {
    const { calls } = open('/projects/nlp', { 'GET projects/nlp': project({ my_role: 'member' }), 'DELETE projects/nlp/members/lin': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(calls.some(({ method, path }) => method === 'DELETE' && path === 'projects/nlp/members/lin')).toBe(true));
  });

  it('says so where there is none of that name', async () => {
    open('/projects/gone');
    expect(await screen.findByText('No such project')).toBeTruthy();
  });
});

describe('the creator of a project', () => {
  const own = { 'GET projects/nlp': project({ my_role: 'creator' }) };

  it('gives roles and takes people out', async () => {
    const { sent, calls } = open('/projects/nlp', {
      ...own,
      'PUT projects/nlp/members/wang': member(),
      'DELETE projects/nlp/members/wang': {},
    });
    fireEvent.change(await screen.findByLabelText('Role of wang'), { target: { value: 'viewer' } });
    await waitFor(() => expect(sent('PUT projects/nlp/members/wang')).toEqual([{ role: 'viewer' }]));
    fireEvent.click(screen.getByRole('button', { name: 'Remove wang' }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is led to the pages of its members where those may be read', async () => {
    open('/projects/nlp', own, ['user:read']);
    expect((await screen.findByRole('link', { name: 'wang' })).getAttribute('href')).toBe('/users/wang');
  });

  it('is told their names only where not', async () => {
    open('/projects/nlp', own);
    expect(await screen.findByLabelText('Role of wang')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'wang' })).toBeNull();
  });

  it('adds many at once, as what was chosen', async () => {
    const { sent } = open('/projects/nlp', { ...own, 'POST projects/nlp/members': { changed: ['chen'], already: [], unknown: [] } });
    fireEvent.click(await screen.findByRole('button', { name: 'Add members' }));
    const dialog = await inDialog();
    fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'viewer' } });
    fireEvent.change(dialog.getByLabelText('Who'), { target: { value: 'chen' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Preview' }));
    fireEvent.click(await dialog.findByRole('button', { name: 'Add 1 person' }));
    await waitFor(() => expect(sent('POST projects/nlp/members').at(-1)).toEqual({ text: 'chen', role: 'viewer' }));
  });

  it('lets in who asks, right there', async () => {
    const items = [request(), request({ id: 'r2', subject: 'other' })];
    const { sent } = open('/projects/nlp', {
      ...own,
      'GET requests': { items, next_cursor: null, total: 2 },
      'POST requests/r1/approve': request({ state: 'approved' }),
    });
    expect(await screen.findByText('1 person asks to join')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(sent('POST requests/r1/approve')).toEqual([{ answer: '', role: 'member' }]));
  });

  it('says what jobs get that name no size or image, and nothing else', async () => {
    const flavors = { items: [{ name: 'small', resources: {}, classes: [], description: '' }], next_cursor: null };
    const { sent } = open('/projects/nlp', { ...own, 'GET flavors': flavors, 'PATCH projects/nlp': project() });
    const choice = await screen.findByLabelText('Default flavor');
    await waitFor(() => expect(within(choice).getAllByRole('option')).toHaveLength(2));
    fireEvent.change(choice, { target: { value: 'small' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('PATCH projects/nlp')).toEqual([{ default_flavor: 'small' }]));
    expect(screen.queryByText("Administrators' settings")).toBeNull();
  });

  it('is told when the last creator would go', async () => {
    const last = new Refusal(409, { type: 'conflict', title: 'x', detail: 'sara is its last creator', errors: [] });
    open('/projects/nlp', { ...own, 'PUT projects/nlp/members/sara': last });
    fireEvent.change(await screen.findByLabelText('Role of sara'), { target: { value: 'member' } });
    expect(await screen.findByText('sara is its last creator')).toBeTruthy();
  });
});

async function form(answers: Answers = {}) {
  const console = open('/projects/nlp', answers, ADMINISTRATES);
  const heading = await screen.findByText("Administrators' settings");
  return { ...console, form: within(heading.closest('section')!) };
}

describe("the administrators' part", () => {
  it('sends what was changed', async () => {
    const { form: part, sent } = await form({
      'GET clusters': { items: [{ name: 'lab' }, { name: 'cloud' }], next_cursor: null },
      'GET priorities': { items: [{ name: 'high' }, { name: 'normal' }], next_cursor: null },
      'PATCH projects/nlp': project(),
    });
    fireEvent.change(part.getByLabelText('Weight'), { target: { value: '3.5' } });
    fireEvent.change(part.getByLabelText('Node selector'), { target: { value: 'org=public' } });
    fireEvent.click(await part.findByLabelText('high'));
    fireEvent.click(part.getByLabelText('Open to everybody'));
    fireEvent.click(part.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PATCH projects/nlp')).toEqual([
        { weight: 3.5, node_selector: { org: 'public', cluster: 'lab' }, priorities: ['normal', 'high'], open: true },
      ]),
    );
  });

  it('tells what is wrong at its field, before and after sending', async () => {
    const errors = [{ loc: ['cap', 'A100'], code: 'unknown', message: 'there is no A101' }];
    const { form: part } = await form({ 'PATCH projects/nlp': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    const [, capModels] = part.getAllByLabelText('GPUs by model');
    fireEvent.change(capModels!, { target: { value: 'A101' } });
    expect(await part.findByText('Enter name=value.')).toBeTruthy();
    expect(part.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    fireEvent.change(capModels!, { target: { value: 'A101=8' } });
    fireEvent.click(part.getByRole('button', { name: 'Save' }));
    expect(await part.findByText('there is no A101')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('closes the project and opens it again', async () => {
    let closed = false;
    const { sent } = await form({
      'GET projects/nlp': () => project({ closed }),
      'PATCH projects/nlp': ({ body }: Call) => {
        ({ closed } = body as { closed: boolean });
        return project({ closed });
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Close to new jobs' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Reopen' }));
    await waitFor(() => expect(sent('PATCH projects/nlp')).toEqual([{ closed: true }, { closed: false }]));
  });

  it('deletes after a question', async () => {
    const { address } = await form({ 'DELETE projects/nlp': {} });
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(address()).toBe('/projects'));
  });
});
