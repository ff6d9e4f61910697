import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Limit } from '@/api/rules/limits';
import type { PriorityClass } from '@/api/rules/priorities';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const normal: PriorityClass = {
  name: 'normal',
  value: 200,
  may_preempt: true,
  may_be_preempted: true,
  groups: [],
  projects: [],
  description: '',
  needs_reason: false,
  budget: null,
};
const urgent: PriorityClass = {
  ...normal,
  name: 'urgent',
  value: 900,
  may_be_preempted: false,
  groups: ['leads'],
  projects: ['nlp'],
  needs_reason: true,
  budget: 100,
};
const limit: Limit = { name: 'each', user: '*', project: null, class: 'single', gpus: 8, max_time: '7d' };

function open(answers: Answers = {}, everywhere = ['priority:write', 'limit:write']) {
  const console = openConsole('/priorities', {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET priorities': { items: [normal, urgent], next_cursor: null },
    'GET limits': { items: [limit], next_cursor: null },
    ...answers,
  });
  return {
    ...console,
    sent: (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body),
  };
}
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('priority classes', () => {
  it('stand by urgency, with who may use them, whether they need a reason, and their budget', async () => {
    open();
    const table = within(await screen.findByRole('region', { name: 'Priority classes' }));
    expect(
      table
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual([
      'urgent–900groups leads · in nlppreemptsyes100 GPU-hours',
      'normalThe default for jobs that name no priority200Everybodypreempts · preemptible––',
    ]);
    await screen.findByRole('region', { name: 'Limits' });
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are made, and mistakes stand at their fields', async () => {
    const wrong = new Refusal(422, {
      type: 'invalid',
      title: 'x',
      detail: 'x',
      errors: [{ loc: ['groups'], code: 'x', message: 'no such group' }],
    });
    const { sent } = open({ 'POST priorities': ({ body }: { body: PriorityClass }) => (body.groups.includes('nobody') ? wrong : urgent) });
    fireEvent.click(await screen.findByRole('button', { name: 'New priority class' }));
    const dialog = await inDialog('New priority class');
    const type = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
    type('Name', 'rush');
    type('Value', '800');
    type('Groups', 'nobody');
    type('Monthly budget', '40');
    fireEvent.click(dialog.getByRole('switch', { name: /^Needs a justification/ }));
    fireEvent.click(dialog.getByRole('button', { name: 'Create priority class' }));
    expect(await dialog.findByText('no such group')).toBeTruthy();
    type('Groups', 'leads, staff');
    fireEvent.click(dialog.getByRole('button', { name: 'Create priority class' }));
    await waitFor(() =>
      expect(sent('POST priorities').at(-1)).toEqual({
        name: 'rush',
        value: 800,
        groups: ['leads', 'staff'],
        projects: [],
        budget: 40,
        description: '',
        may_preempt: false,
        may_be_preempted: true,
        needs_reason: true,
      }),
    );
  });

  it('lose their budget when it is emptied', async () => {
    const { sent } = open({ 'PATCH priorities/urgent': urgent });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit urgent' }));
    const dialog = await inDialog('Edit urgent');
    fireEvent.change(dialog.getByLabelText('Monthly budget'), { target: { value: '' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent('PATCH priorities/urgent')).toMatchObject([{ value: 900, budget: null, groups: ['leads'] }]));
  });
});

describe('limits', () => {
  it('say for whom they hold', async () => {
    open();
    expect((await screen.findByText('Each person')).closest('tr')!.textContent).toBe('eachEach personAll projects togetherSingle node87d');
  });

  it('are made for one person', async () => {
    const users = { items: [{ name: 'admin' }, { name: 'lin' }], next_cursor: null, total: 2 };
    const { sent } = open({ 'POST limits': limit, 'GET users': users, 'GET limits': { items: [], next_cursor: null } }, [
      'limit:write',
      'user:read',
    ]);
    expect(await screen.findByText('No limits')).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'New limit' }));
    const dialog = await inDialog('New limit');
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'lin-gpus' } });
    fireEvent.change(dialog.getByLabelText('Person'), { target: { value: 'one' } });
    const person = dialog.getByLabelText('One person');
    const offered = () => [...document.querySelectorAll(`[id="${person.getAttribute('list')}"] option`)].map((each) => each.textContent);
    await waitFor(() => expect(offered()).toEqual(['admin', 'lin']));
    fireEvent.change(person, { target: { value: 'lin' } });
    fireEvent.change(dialog.getByLabelText('GPUs at once'), { target: { value: '4' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create limit' }));
    await waitFor(() =>
      expect(sent('POST limits')).toEqual([{ name: 'lin-gpus', user: 'lin', project: null, class: null, gpus: 4, max_time: null }]),
    );
  });

  it('are removed after a question', async () => {
    const { sent } = open({ 'DELETE limits/each': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove each' }));
    fireEvent.click((await inDialog('Remove each?')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(sent('DELETE limits/each')).toHaveLength(1));
  });

  it('are changed only by those who may', async () => {
    open({}, []);
    await screen.findByText('Each person');
    expect(screen.queryByRole('button', { name: /^(New (priority|limit)|Edit|Remove)/ })).toBeNull();
  });
});
