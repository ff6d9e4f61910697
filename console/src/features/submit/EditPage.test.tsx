import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers, Call } from '@/testing/app';
import { describes, isDisabled, setWidth, valueOf } from '@/testing/fields';
import { detail, session } from '@/testing/samples';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

const job = detail({
  state: 'stopped',
  actions: ['start', 'edit', 'clone'],
  spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py', resources: { gpus: 8 } },
});
const answers: Answers = {
  'GET session': session,
  'GET jobs/j1': job,
  'GET schema/job': {},
  'GET projects': { items: [] },
  'GET priorities': { items: [] },
  'GET flavors': { items: [] },
  'GET nodes': { items: [] },
  'POST jobs/check': { valid: true, errors: [] },
  'PUT jobs/j1/spec': job,
};
const user = userEvent.setup();

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

it('an edit shows what changes before it is saved', async () => {
  const { calls, address } = openConsole('/jobs/j1/edit', answers);
  const gpus = await screen.findByLabelText('GPUs');
  expect(isDisabled(screen.getByRole('button', { name: 'Review and save' }))).toBe(true);
  await user.clear(gpus);
  await user.type(gpus, '4');
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  const dialog = await screen.findByRole('dialog', { name: 'What changes' });
  expect(within(dialog).getByRole('deletion').textContent).toContain('gpus: 8');
  expect(within(dialog).getByRole('insertion').textContent).toContain('gpus: 4');
  expect(await accessibilityProblems()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(address()).toContain('/jobs/j1?tab=spec'));
  const saved = calls.find(({ method }) => method === 'PUT')!;
  expect(saved.body).toMatchObject({ name: 'bert-pretrain', resources: { gpus: 4 } });
  expect(saved.query.get('version')).toBe('1');
});

const conflict = new Refusal(409, {
  type: 'conflict',
  title: 'This conflicts with the current state',
  detail: 'bert-pretrain was changed in the meantime; reload it and edit the current version',
});

/** A server on which somebody else changed the job after it was opened. */
function changedMeanwhile(spec: object): Answers {
  let reads = 0;
  return {
    ...answers,
    'GET jobs/j1': () => {
      reads += 1;
      return reads === 1 ? job : { ...job, version: 3, spec };
    },
    'PUT jobs/j1/spec': ({ query }: Call) => (query.get('version') === '3' ? job : conflict),
  };
}

async function editGpus() {
  const gpus = await screen.findByLabelText('GPUs');
  await user.clear(gpus);
  await user.type(gpus, '4');
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  const dialog = await screen.findByRole('dialog', { name: 'What changes' });
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
}

it('what somebody else saved meanwhile is shown, not overwritten, and nothing typed is lost', async () => {
  const { calls, address } = openConsole('/jobs/j1/edit', changedMeanwhile({ ...job.spec, command: 'python better.py' }));
  await editGpus();
  await screen.findByText('The job was changed while you edited it');
  const dialog = screen.getByRole('dialog', { name: 'What changes' });
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Continue editing' })));
  expect(
    within(dialog)
      .getAllByRole('deletion')
      .map(({ textContent }) => textContent)
      .join(' '),
  ).toContain('python better.py');
  expect(address()).toBe('/jobs/j1/edit');
  expect(valueOf(screen.getByRole('textbox', { name: 'Job file', hidden: true }))).toContain('gpus: 4');
  await user.click(within(dialog).getByRole('button', { name: 'Overwrite' }));
  await waitFor(() => expect(address()).toContain('/jobs/j1?tab=spec'));
  expect(calls.filter(({ method }) => method === 'PUT').map(({ query }) => query.get('version'))).toEqual(['1', '3']);
});

it('the newer file can be taken instead', async () => {
  const { calls } = openConsole('/jobs/j1/edit', changedMeanwhile({ ...job.spec, command: 'python better.py' }));
  await editGpus();
  await user.click(await screen.findByRole('button', { name: 'Use the newer file' }));
  expect(valueOf(await screen.findByLabelText('Command *'))).toBe('python better.py');
  expect(valueOf(screen.getByLabelText('GPUs'))).toBe('8');
  expect(isDisabled(screen.getByRole('button', { name: 'Review and save' }))).toBe(true);
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

it('a job that only ran meanwhile is saved all the same', async () => {
  const { address } = openConsole('/jobs/j1/edit', changedMeanwhile(job.spec));
  await editGpus();
  await waitFor(() => expect(address()).toContain('/jobs/j1?tab=spec'));
});

it('the command line to save it is the one that edits', async () => {
  openConsole('/jobs/j1/edit', answers);
  expect(await screen.findByText('danlu edit bert-pretrain --file bert-pretrain.yaml')).toBeTruthy();
});

it('a mistake is told before there is anything to review', async () => {
  openConsole('/jobs/j1/edit', answers);
  const command = await screen.findByLabelText('Command *');
  await user.clear(command);
  await user.click(screen.getByRole('button', { name: 'Review and save' }));
  expect(document.activeElement).toBe(command);
  expect(describes(command)).toMatch(/a training job needs a command/);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('an active job says that it cannot be edited now', async () => {
  openConsole('/jobs/j1/edit', { ...answers, 'GET jobs/j1': detail({ actions: ['stop', 'clone'] }) });
  await screen.findByText('This job cannot be edited now');
  expect(isDisabled(screen.getByRole('button', { name: 'Review and save' }))).toBe(true);
});
