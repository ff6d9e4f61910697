import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckResult } from '@/api/jobs';
import { accessibilityProblems } from '@/testing/app';
import { describes, setWidth } from '@/testing/fields';
import { detail } from '@/testing/samples';
import { file, fill, good, index, marks, open, sent, summary, user, write } from '../testing';

vi.mock('@/ui/code/CodeEditor', () => import('@/testing/TextEditor'));

beforeEach(() => {
  localStorage.clear();
  setWidth(1400);
});

afterEach(() => setWidth(1024));

/** As the server tells it. */
const mistake = (loc: (string | number)[], code: string, message: string, more: object = {}) => ({
  loc,
  code,
  message,
  text: { en: message, zh: `${message}（中文）` },
  params: {},
  ...more,
});

describe('mistakes', () => {
  const tooMany: CheckResult = {
    valid: false,
    size: null,
    would: null,
    errors: [
      mistake(['resources', 'gpus'], 'out_of_range', '9 is more than any node has (8)', { value: '9', bound: '8' }),
      mistake(['env', 'LR'], 'wrong_type', '0.1 is not text', {
        hint: 'write it in quotes: "0.1"',
        hint_text: { en: 'write it in quotes: "0.1"', zh: '请加上引号："0.1"' },
      }),
    ],
  };

  it('of empty fields are told when they are left, at the field and at the line', async () => {
    await open();
    expect(marks()).toBe('');
    summary().getByText('Required: Name, Command');
    await user.click(screen.getByLabelText('Name *'));
    expect(screen.queryByText('name is required')).toBeNull();
    await user.tab();
    expect(describes(screen.getByLabelText('Name *'))).toMatch(/name is required/);
    expect(marks()).toBe('"": name is required');
    await fill('Name *', 'abc');
    expect(describes(screen.getByLabelText('Name *'))).toMatch(/'abc': a job name has 4–63/);
    await fill('Name *', 'abcd');
    expect(describes(screen.getByLabelText('Name *'))).not.toMatch(/'abc'/);
  });

  it('that the server finds stand at their field, also in folded parts, and in the index', async () => {
    await open('/jobs/new?example=gpu', { 'POST jobs/check': tooMany });
    await screen.findByText('9 is more than any node has (8)', { selector: '[class*=error]' });
    expect(describes(screen.getByLabelText('GPUs'))).toMatch(/9 is more than any node has/);
    expect(describes(screen.getByLabelText('Value of LR'))).toBe('0.1 is not text – write it in quotes: "0.1"');
    index().getByRole('button', { name: 'Size 1 problem' });
    expect(marks()).toContain('1: 9 is more');
    await user.click(summary().getByRole('button', { name: /env.LR/ }));
    expect(document.activeElement).toBe(screen.getByLabelText('Value of LR'));
  });

  it('that are wrong are not called missing, and fields are called as in the form', async () => {
    const wrong: CheckResult = {
      valid: false,
      size: null,
      would: null,
      errors: [mistake(['resources', 'gpus'], 'wrong_type', "'abc' is not a number", { value: 'abc' })],
    };
    await open('/jobs/new?example=gpu', { 'POST jobs/check': wrong });
    await user.clear(screen.getByLabelText('GPUs'));
    await user.type(screen.getByLabelText('GPUs'), 'abc');
    expect(await summary().findByText('To fix: GPUs')).toBeTruthy();
  });

  it('of a role name it', async () => {
    const wrong: CheckResult = {
      valid: false,
      size: null,
      would: null,
      errors: [mistake(['roles', 0, 'replicas'], 'wrong_type', "'x' is not a number", { value: 'x' })],
    };
    await open('/jobs/new?example=roles', { 'POST jobs/check': wrong });
    await user.type(within(screen.getByRole('group', { name: 'Role ps' })).getByLabelText('Tasks'), 'x');
    expect(await summary().findByText('To fix: Tasks of ps')).toBeTruthy();
  });

  it('all show when it is submitted, the first has the caret, and nothing is sent', async () => {
    const { calls } = await open();
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Name *'));
    expect(describes(screen.getByLabelText('Command *'))).toMatch(/a training job needs a command/);
    summary().getByText('2 problems');
    expect(sent(calls)).toEqual([]);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('of a file that cannot be read lead to its line', async () => {
    await open();
    await write('kind: training\nname: [x\n');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Job file')));
  });

  it('of a name come with one that is valid, to take with a click', async () => {
    await open('/jobs/new?example=hello');
    await fill('Name *', 'sweep-lr-0.1');
    await user.tab();
    await user.click(await screen.findByRole('button', { name: 'Use sweep-lr-0-1' }));
    expect(file()).toContain('name: sweep-lr-0-1\n');
    expect(screen.queryByRole('button', { name: /^Use sweep/ })).toBeNull();
  });

  it('are none where a name was used before: it says which run this will be, and may replace the others', async () => {
    const { calls } = await open('/jobs/new?example=hello', { 'POST jobs/check': { ...good, run: 3 }, 'POST jobs': detail() });
    await screen.findByText('This will be run 3 of hello-danlu');
    await user.click(screen.getByLabelText('First stop its earlier runs that are queued or running'));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(calls.find(({ method, path }) => method === 'POST' && path === 'jobs')!.query.get('replace')).toBe('true'));
  });
});
