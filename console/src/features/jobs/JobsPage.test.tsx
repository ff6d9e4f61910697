import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { detail, reason, row, session } from '@/testing/samples';

const page = (items: unknown[], total = items.length, next: string | null = null) => ({ items, total, next_cursor: next });
const signedIn = { 'GET session': session };
const filters = () => within(screen.getByLabelText('Filters'));

describe('the job list', () => {
  it('shows each job with its state in words and why it failed', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([row(), row({ id: 'j2', name: 'resnet', state: 'failed', reason })]) });
    const failed = (await screen.findByRole('link', { name: 'resnet' })).closest('tr')!;
    expect(within(failed).getByText('Failed')).toBeTruthy();
    expect(within(failed).getByText('worker-0 ended with exit code 1')).toBeTruthy();
    expect(screen.getAllByText('2 × 8 A100')).toHaveLength(2);
    expect(await screen.findByText('1–2 of 2')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('asks the server for what the address says', async () => {
    const { calls } = openConsole('/jobs?state=failed&state=queued&owner=me&search=bert&project=nlp&sort=-ended', {
      ...signedIn,
      'GET jobs': page([row()]),
    });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    const { query } = calls.find((call) => call.path === 'jobs')!;
    expect(query.getAll('state').sort()).toEqual(['failed', 'queued']);
    expect(Object.fromEntries(query)).toMatchObject({ owner: 'me', search: 'bert', project: 'nlp', sort: '-ended', limit: '200' });
  });

  it('tells no jobs yet from none that match', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([]) });
    expect(await screen.findByText('No jobs yet')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('offers to clear filters that match nothing', async () => {
    const { address } = openConsole('/jobs?search=zzz', {
      ...signedIn,
      'GET jobs': ({ query }: { query: URLSearchParams }) => (query.has('search') ? page([]) : page([row()])),
    });
    const empty = (await screen.findByText('No jobs match')).parentElement!;
    fireEvent.click(within(empty).getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
    expect(address()).toBe('/jobs');
  });

  it('says what went wrong and offers to try again', async () => {
    let broken = true;
    openConsole('/jobs', {
      ...signedIn,
      'GET jobs': () => (broken ? new Refusal(400, { detail: 'The cursor is too old.' }) : page([row()])),
    });
    expect(await screen.findByText('The cursor is too old.')).toBeTruthy();
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
  });

  it('leads to the sign-in and back where nobody is signed in', async () => {
    const { address } = openConsole('/jobs?state=failed', {
      'GET session': new Refusal(401, {}),
      'POST session': session,
      'GET jobs': page([row()]),
    });
    fireEvent.change(await screen.findByLabelText('User name'), { target: { value: 'lin' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
    expect(address()).toBe('/jobs?state=failed');
  });

  it('opens a job by its name, and leaves clicks with a modifier to the browser', async () => {
    const { address } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]), 'GET jobs/j1': detail() });
    const link = await screen.findByRole('link', { name: 'bert-pretrain' });
    expect(link.getAttribute('href')).toBe('jobs/j1');
    expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
    expect(address()).toBe('/jobs');
    expect(fireEvent.click(link)).toBe(false);
    await waitFor(() => expect(address()).toBe('/jobs/j1'));
  });
});

describe('filters', () => {
  it('go into the address, show as chips, and are taken away by them', async () => {
    const { address } = openConsole('/jobs', {
      ...signedIn,
      'GET jobs': page([row()]),
      'GET projects': { items: [{ name: 'nlp' }, { name: 'vision' }], next_cursor: null },
    });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    fireEvent.click(filters().getByRole('button', { name: 'State' }));
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Failed' }));
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Queued' }));
    await waitFor(() => expect(address()).toBe('/jobs?state=queued&state=failed'));
    fireEvent.click(filters().getByRole('button', { name: 'Project' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'vision' }));
    await waitFor(() => expect(address()).toBe('/jobs?state=queued&state=failed&project=vision'));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove filter State: Queued' }));
    await waitFor(() => expect(address()).toBe('/jobs?state=failed&project=vision'));
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe('/jobs'));
  });

  it('leave the focus near when their chip takes itself away', async () => {
    openConsole('/jobs?state=failed&kind=training', { ...signedIn, 'GET jobs': page([row()]) });
    const chip = await screen.findByRole('button', { name: 'Remove filter State: Failed' });
    chip.focus();
    fireEvent.click(chip);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove filter Kind: Training' })));
  });

  it('are cleared by the palette as well', async () => {
    const { address } = openConsole('/jobs?state=failed', { ...signedIn, 'GET jobs': page([row()]) });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.click(await screen.findByRole('option', { name: /Clear filters/ }));
    await waitFor(() => expect(address()).toBe('/jobs'));
  });

  it('find the jobs of a person one names', async () => {
    const { address } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]) });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    fireEvent.click(filters().getByRole('button', { name: 'Owner' }));
    const somebody = await screen.findByRole('textbox', { name: 'Someone else' });
    fireEvent.change(somebody, { target: { value: 'wang' } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    await waitFor(() => expect(address()).toBe('/jobs?owner=wang'));
    expect(await screen.findByRole('button', { name: 'Remove filter Owner: wang' })).toBeTruthy();
  });

  it('keep the old rows, dimmed, until the new ones are there', async () => {
    let answer: (() => void) | undefined;
    openConsole('/jobs', {
      ...signedIn,
      'GET jobs': ({ query }: { query: URLSearchParams }) =>
        query.has('kind')
          ? new Promise((resolve) => {
              answer = () => resolve(page([row({ id: 'j9', name: 'my-space' })]));
            })
          : page([row()]),
    });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    fireEvent.click(filters().getByRole('button', { name: 'Kind' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Workspace' }));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true'));
    expect(screen.getByRole('link', { name: 'bert-pretrain' })).toBeTruthy();
    answer!();
    expect(await screen.findByRole('link', { name: 'my-space' })).toBeTruthy();
  });

  it('order by the column one presses', async () => {
    const { address } = openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]) });
    const region = await screen.findByRole('region', { name: 'Jobs' });
    fireEvent.click(within(region).getByRole('button', { name: 'Name' }));
    await waitFor(() => expect(address()).toBe('/jobs?sort=name'));
    fireEvent.click(filters().getByRole('button', { name: 'Sort' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Recently ended' }));
    await waitFor(() => expect(address()).toBe('/jobs?sort=-ended'));
  });
});

describe('columns', () => {
  it('are chosen, remembered by this browser, and given back to the window', async () => {
    localStorage.removeItem('danlu.jobs.columns');
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([row({ image: 'pytorch:2.9' })]) });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    expect(screen.queryByText('pytorch:2.9')).toBeNull();
    fireEvent.click(filters().getByRole('button', { name: 'Columns' }));
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Image' }));
    expect(await screen.findByText('pytorch:2.9')).toBeTruthy();
    expect(localStorage.getItem('danlu.jobs.columns')).toContain('image');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Fit to window' }));
    await waitFor(() => expect(screen.queryByText('pytorch:2.9')).toBeNull());
    expect(localStorage.getItem('danlu.jobs.columns')).toBeNull();
  });
});

describe('a job in the list', () => {
  it('is stopped only after asking, says so at once, and is corrected by a refusal', async () => {
    let refuse: (() => void) | undefined;
    const { calls } = openConsole('/jobs', {
      ...signedIn,
      'GET jobs': page([row()]),
      'GET jobs/j1': detail(),
      'POST jobs/j1/stop': () =>
        new Promise((resolve) => {
          refuse = () => resolve(new Refusal(409, { detail: 'It has just ended.' }));
        }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for bert-pretrain' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Stop' }));
    const dialog = await screen.findByRole('dialog');
    expect(calls.some((call) => call.path === 'jobs/j1/stop')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop' }));
    const line = within((await screen.findByRole('link', { name: 'bert-pretrain' })).closest('tr')!);
    expect(await line.findByText('Stopping')).toBeTruthy();
    await waitFor(() =>
      expect(calls.find((call) => call.path === 'jobs/j1/stop')?.headers.get('X-CSRF-Token')).toBe('token-of-the-session'),
    );
    refuse!();
    expect(await line.findByText('Running')).toBeTruthy();
  });

  it('gives the focus back to its menu when a question is cancelled', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]), 'GET jobs/j1': detail() });
    const button = await screen.findByRole('button', { name: 'Actions for bert-pretrain' });
    for (const action of ['Stop', 'Clone']) {
      button.focus();
      fireEvent.click(button);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      fireEvent.click(await screen.findByRole('menuitem', { name: action }));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await waitFor(() => expect(document.activeElement).toBe(button));
    }
  });

  it('leaves the focus to the next one when it is deleted', async () => {
    let jobs = ['one', 'two', 'three'].map((name) => row({ id: name, name, state: 'failed' }));
    openConsole('/jobs', {
      ...signedIn,
      'GET jobs': () => page(jobs),
      'GET jobs/two': detail({ id: 'two', state: 'failed', actions: ['delete'] }),
      'DELETE jobs/two': () => {
        jobs = jobs.filter(({ id }) => id !== 'two');
        return {};
      },
    });
    const button = await screen.findByRole('button', { name: 'Actions for two' });
    button.focus();
    fireEvent.click(button);
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'two' })).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('three'));
  });

  it('is marked as the one whose menu is open', async () => {
    openConsole('/jobs', { ...signedIn, 'GET jobs': page([row()]), 'GET jobs/j1': detail() });
    const button = await screen.findByRole('button', { name: 'Actions for bert-pretrain' });
    fireEvent.click(button);
    await screen.findByRole('menuitem', { name: 'Stop' });
    expect(button.getAttribute('aria-expanded')).toBe('true');
  });
});
