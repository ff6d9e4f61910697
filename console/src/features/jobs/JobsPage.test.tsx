import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { detail, reason, row, session } from '@/testing/samples';

const page = (items: unknown[], total = items.length, next: string | null = null) => ({ items, total, next_cursor: next });
const signedIn = { 'GET session': session };

describe('the job list', () => {
  it('shows each job with its state in words and why it failed', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([row(), row({ id: 'j2', name: 'resnet', state: 'failed', reason })]) });
    const failed = (await screen.findByRole('link', { name: 'resnet' })).closest('tr')!;
    expect(within(failed).getByText('Failed')).toBeTruthy();
    expect(within(failed).getByText('worker-0 ended with exit code 1')).toBeTruthy();
    expect(screen.getAllByText('2 × 8 A100')).toHaveLength(2);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('asks the server for what the address says', async () => {
    const { calls } = openConsole('/jobs?state=failed&state=queued&owner=me&search=bert&sort=name', { ...signedIn, 'GET jobs': page([row()]) });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    const { query } = calls.find((call) => call.path === 'jobs')!;
    expect(query.getAll('state').sort()).toEqual(['failed', 'queued']);
    expect(Object.fromEntries(query)).toMatchObject({ owner: 'me', search: 'bert', sort: 'name', limit: '50' });
  });

  it('puts a chosen filter into the address', async () => {
    const { address } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]) });
    fireEvent.click(await screen.findByRole('button', { name: 'Failed' }));
    await waitFor(() => expect(address()).toBe('/jobs?state=failed'));
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe('/jobs'));
  });

  it('pages forward and back', async () => {
    const { address } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()], 120, 'after-50') });
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(address()).toBe('/jobs?cursor=after-50'));
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await waitFor(() => expect(address()).toBe('/jobs'));
  });

  it('tells no jobs yet from none that match', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([]) });
    expect(await screen.findByText('No jobs yet')).toBeTruthy();
  });

  it('offers to clear filters that match nothing', async () => {
    openConsole('/jobs?search=zzz', { ...signedIn, 'GET jobs': page([]) });
    expect(await screen.findByText('No job matches')).toBeTruthy();
  });

  it('says what went wrong and offers to try again', async () => {
    let broken = true;
    openConsole('/jobs', { ...signedIn, 'GET jobs': () => (broken ? new Refusal(400, { detail: 'The cursor is too old.' }) : page([row()])) });
    expect(await screen.findByText('The cursor is too old.')).toBeTruthy();
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
  });

  it('stops a job only after asking, with the session’s token', async () => {
    const { calls } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]), 'GET jobs/j1': detail(), 'POST jobs/j1/stop': detail({ state: 'stopping' }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for bert-pretrain' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Stop' }));
    const dialog = await screen.findByRole('dialog');
    expect(calls.some((call) => call.path === 'jobs/j1/stop')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(calls.find((call) => call.path === 'jobs/j1/stop')?.headers.get('X-CSRF-Token')).toBe('token-of-the-session'));
  });

  it('leads to the sign-in and back where nobody is signed in', async () => {
    const { address } = openConsole('/jobs?state=failed', { 'GET session': new Refusal(401, {}), 'POST session': session, 'GET jobs': page([row()]) });
    fireEvent.change(await screen.findByLabelText('User name'), { target: { value: 'lin' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
    expect(address()).toBe('/jobs?state=failed');
  });
});
