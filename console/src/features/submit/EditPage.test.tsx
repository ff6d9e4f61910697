import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { describes, isDisabled, setWidth } from '@/testing/fields';
import { detail, session } from '@/testing/samples';

vi.mock('@/ui/CodeEditor', () => import('@/testing/TextEditor'));

const job = detail({ state: 'stopped', actions: ['start', 'edit', 'clone'], spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py', resources: { gpus: 8 } } });
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
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ name: 'bert-pretrain', resources: { gpus: 4 } });
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
