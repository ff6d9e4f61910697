import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { detail, preferences, session } from '@/testing/samples';
import { amountsOf, cellsOf } from './grid';
import { byClass, byResource } from './words';

const shortfall = {
  quota: 'user:lin',
  class: 'workspace',
  resource: 'gpus',
  used: 3,
  asked: 1,
  limit: 3,
  jobs: ['lin:notebook', 'wang'],
  text: { en: 'lin uses 3 of 3 GPUs for workspaces and asks for 1 more', zh: 'lin 已使用工作台 3/3 卡，还需 1 卡' },
};
const refused = new Refusal(409, {
  type: 'insufficient_quota',
  title: 'insufficient quota',
  detail: 'insufficient quota',
  errors: [],
  shortfalls: [shortfall],
});

function open(answers: Answers = {}) {
  const job = detail({ state: 'stopped', actions: ['start'], tasks: [] });
  return openConsole('/jobs/j1', {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: [], everywhere: [] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET jobs/j1': job,
    'GET jobs/j1/events': { items: [], next_cursor: null },
    'POST jobs/j1/start': refused,
    ...answers,
  });
}

describe('a start over quota', () => {
  it('tells the numbers and who holds it, and lets one ask for more', async () => {
    const { calls } = open({ 'POST requests': {} });
    fireEvent.click(await screen.findByRole('button', { name: 'Start' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'bert-pretrain was not started' }));
    expect(dialog.getByText('lin uses 3 of 3 GPUs for workspaces and asks for 1 more')).toBeTruthy();
    expect(dialog.getByRole('link', { name: 'lin:notebook' }).getAttribute('href')).toMatch(/^\/jobs\/lin(:|%3A)notebook$/);
    expect(dialog.queryByRole('link', { name: 'wang' })).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Ask for more' }));
    const asking = within(await screen.findByRole('dialog', { name: 'Ask for more' }));
    expect((asking.getByLabelText('Workspace: GPUs') as HTMLInputElement).value).toBe('4');
    fireEvent.change(asking.getByLabelText('Reason'), { target: { value: 'a demo' } });
    fireEvent.click(asking.getByRole('button', { name: 'Send the request' }));
    await waitFor(() =>
      expect(calls.filter(({ method, path }) => method === 'POST' && path === 'requests').map(({ body }) => body)).toEqual([
        { kind: 'quota', amounts: { workspace: { gpus: 4 } }, life: '7d', note: 'a demo' },
      ]),
    );
  });
});

describe('amounts', () => {
  it('are typed as they are read', () => {
    const amounts = { all: { gpus: 8, memory: 2 ** 36, jobs: null }, single: { A100: 4 } };
    expect(cellsOf(amounts)).toEqual({ 'all.gpus': '8', 'all.memory': '64GiB', 'all.jobs': '∞', 'single.A100': '4' });
    expect(amountsOf(cellsOf(amounts))).toEqual(amounts);
  });

  it('take a negative number as it is, for the server to refuse: it is no way to say unlimited', () => {
    expect(amountsOf({ 'all.gpus': '-1' })).toEqual({ all: { gpus: -1 } });
  });

  it('leave out what is empty, and let the server judge what is no amount', () => {
    expect(amountsOf({ 'all.gpus': ' ', 'all.cpus': 'x', 'all.memory': '1.5', 'single.jobs': 'unlimited' })).toEqual({
      all: { cpus: 'x', memory: 1.5 * 2 ** 30 },
      single: { jobs: null },
    });
  });

  it('stand in one order, GPU models last', () => {
    expect(['T4', 'tasks', 'gpus', 'A100', 'memory'].toSorted(byResource)).toEqual(['gpus', 'memory', 'tasks', 'A100', 'T4']);
    expect(['service', 'single', 'all'].toSorted(byClass)).toEqual(['all', 'single', 'service']);
  });
});
