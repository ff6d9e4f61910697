import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers } from '@/testing/app';
import { detail, preferences, resources, row, session } from '@/testing/samples';

const none = { items: [], next_cursor: null };
const newcomer: Answers = {
  'GET session': session,
  'GET me/preferences': preferences,
  'PATCH me/preferences': preferences,
  'GET resources': resources(),
  'GET jobs': { ...none, total: 0 },
  'GET queue': { ...none, lanes: [], classes: [], decided_at: null },
  'GET tokens': none,
};
const administrator: Answers = {
  ...newcomer,
  'GET session': { ...session, user: { ...session.user, role: 'administrator' } },
  'GET users': { ...none, items: [session.user] },
  'GET projects': { ...none, items: [{ name: 'public' }, { name: 'vision' }] },
  'GET flavors': none,
  'GET pools': { ...none, items: [{ name: 'default' }] },
  'GET priorities': { ...none, items: [{ name: 'normal' }] },
  'GET limits': none,
  'GET quotas': none,
};
const steps = async () => within(await screen.findByRole('region', { name: 'First steps' }));
const done = (within_: Awaited<ReturnType<typeof steps>>) =>
  within_
    .getAllByRole('tab')
    .filter((tab) => tab.textContent!.includes('(done)'))
    .map((tab) => tab.textContent!.replace(' (done)', ''));

describe('the first steps', () => {
  it('of a newcomer begin with a job from an example', async () => {
    openConsole('/', newcomer);
    const list = await steps();
    expect(done(list)).toEqual(['Set a password']);
    expect(list.getByText('1 of 6 done')).toBeTruthy();
    expect(list.getByRole('link', { name: 'Start with an example' }).getAttribute('href')).toBe('/jobs/new?example=hello');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('tick what is done already, and lead to the log of the latest job', async () => {
    const { calls } = openConsole('/', {
      ...newcomer,
      'GET jobs': { items: [row({ name: 'hello' })], next_cursor: null, total: 1 },
      'GET jobs/j1': detail(),
      'GET tokens': { items: [{ id: 't', name: 'x', scopes: [], created_at: '', expires_at: null, last_used_at: '2026-05-01T10:00:00Z' }] },
    });
    const list = await steps();
    expect(done(list)).toEqual(['Set a password', 'Submit your first job', 'Sign in on the command line', 'Create a token']);
    const log = list.getByRole('link', { name: 'Open the log of hello' });
    expect(log.getAttribute('href')).toBe('/jobs/j1?tab=logs');
    fireEvent.click(log);
    await waitFor(() => expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({ dismissed: ['first-steps.log'] }));
  });

  it('show the commands with the address of this server', async () => {
    openConsole('/', { ...newcomer, 'GET version': { version: '1.0', api: 'v1', client: 'danlu-1.0-py3-none-any.whl' } });
    const list = await steps();
    fireEvent.click(list.getByRole('tab', { name: /command line/ }));
    const install = 'pip install http://danlu.test/client/danlu-1.0-py3-none-any.whl';
    expect(await list.findByText(install)).toBeTruthy();
    expect(list.getByText(install.replace('pip', 'uv tool'))).toBeTruthy();
    expect(list.getByText('danlu login http://danlu.test --name lin')).toBeTruthy();
    expect(list.getByRole('button', { name: `Copy: ${install}` })).toBeTruthy();
  });

  it('of an administrator see to the cluster, with commands to copy', async () => {
    openConsole('/', administrator);
    const list = await steps();
    expect(done(list)).toEqual(['Check that nodes are ready', 'Create a project', 'Set a password']);
    expect(list.getByText('3 of 11 done')).toBeTruthy();
    expect(list.getByText(/^danlu user create /)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('stand when a question about them is refused', async () => {
    openConsole('/', { ...administrator, 'GET users': new Refusal(403, { type: 'forbidden', title: 'No', detail: 'no' }) });
    expect((await steps()).getByText('3 of 11 done')).toBeTruthy();
  });

  it('can be put away, and come back when they are asked for', async () => {
    const { calls } = openConsole('/', { ...newcomer, 'PATCH me/preferences': { ...preferences, dismissed: ['first-steps'] } });
    fireEvent.click((await steps()).getByRole('button', { name: 'Hide the first steps' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull());
    expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({ dismissed: ['first-steps'] });
    fireEvent.click(await screen.findByRole('button', { name: 'First steps' }));
    expect(await steps()).toBeTruthy();
  });

  it('are out of the way of people who are done, who ask for nothing more', async () => {
    const { calls } = openConsole('/', { ...newcomer, 'GET me/preferences': { ...preferences, dismissed: ['first-steps'] } });
    expect(await screen.findByRole('button', { name: 'First steps' })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
    expect(calls.some((call) => call.path === 'tokens')).toBe(false);
  });

  it('put themselves away where all are taken, and still can be looked at', async () => {
    const { calls } = openConsole('/', {
      ...newcomer,
      'GET me/preferences': { ...preferences, dismissed: ['first-steps.log', 'first-steps.guide'] },
      'PATCH me/preferences': { ...preferences, dismissed: ['first-steps.log', 'first-steps.guide', 'first-steps'] },
      'GET jobs': { items: [row()], next_cursor: null, total: 1 },
      'GET tokens': { items: [{ id: 't', name: 'x', scopes: [], created_at: '', expires_at: null, last_used_at: '2026-05-01T10:00:00Z' }] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'First steps' }));
    expect((await steps()).getByText('All done')).toBeTruthy();
    expect(calls.filter((call) => call.method === 'PATCH').map((call) => call.body)).toEqual([
      { dismissed: ['first-steps.log', 'first-steps.guide', 'first-steps'] },
    ]);
  });

  it('stay away for the visit even if the server takes no note', async () => {
    const { calls } = openConsole('/', { ...newcomer, 'PATCH me/preferences': new Refusal(400, { type: 'x', title: 'No', detail: 'no' }) });
    fireEvent.click((await steps()).getByRole('button', { name: 'Hide the first steps' }));
    expect(await screen.findByRole('button', { name: 'First steps' })).toBeTruthy();
    await waitFor(() => expect(calls.filter((call) => call.method === 'PATCH')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });

  it('remember that the guide was read', async () => {
    const { calls } = openConsole('/', newcomer);
    const list = await steps();
    fireEvent.click(list.getByRole('tab', { name: /short guide/ }));
    fireEvent.click(await list.findByRole('button', { name: 'I have read it' }));
    await waitFor(() => expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({ dismissed: ['first-steps.guide'] }));
  });
});
