import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SavedView } from '@/api/me';
import { accessibilityProblems, openConsole } from '@/testing/app';
import type { Call } from '@/testing/app';
import { preferences, row, session } from '@/testing/samples';

const nights: SavedView = { page: 'jobs', name: 'nights', query: 'state=failed&sort=-ended&columns=name%2Cstate%2Cimage' };

/** A server that keeps preferences. */
async function open(address: string, views: SavedView[] = []) {
  let kept = { ...preferences, views };
  const opened = openConsole(address, {
    'GET session': session,
    'GET jobs': { items: [row({ image: 'pytorch:2.9' })], total: 1, next_cursor: null },
    'GET me/preferences': () => kept,
    'PATCH me/preferences': ({ body }: Call) => {
      kept = { ...kept, ...(body as object) };
      return kept;
    },
  });
  await screen.findByRole('link', { name: 'bert-pretrain' });
  return { ...opened, kept: () => kept.views };
}

const ofMine = (name: string): SavedView => ({ page: 'jobs', name, query: 'owner=me' });
const strip = () => within(screen.getByRole('navigation', { name: 'Views' }));
const opened = () =>
  strip()
    .getAllByRole('button')
    .filter((button) => button.hasAttribute('aria-current'))
    .map((button) => button.textContent);

beforeEach(() => localStorage.clear());

describe('views', () => {
  it('built in are opened, and the open one is marked', async () => {
    const { address } = await open('/jobs');
    expect(opened()).toEqual(['All jobs']);
    fireEvent.click(strip().getByRole('button', { name: 'Recently failed' }));
    await waitFor(() => expect(address()).toBe('/jobs?state=failed&sort=-ended'));
    await waitFor(() => expect(opened()).toEqual(['Recently failed']));
    fireEvent.click(strip().getByRole('button', { name: 'My jobs' }));
    await waitFor(() => expect(address()).toBe('/jobs?owner=me'));
  });

  it('are saved under a name of their own', async () => {
    const { address, kept } = await open('/jobs?state=failed&owner=me', [nights]);
    await strip().findByRole('button', { name: 'nights' });
    expect(opened()).toEqual([]);
    fireEvent.click(strip().getByRole('button', { name: 'Save view' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save this view' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name of the view' }), { target: { value: 'nights' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('You already have a view with this name.')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name of the view' }), { target: { value: ' my failures ' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(kept()).toEqual([nights, { page: 'jobs', name: 'my failures', query: 'state=failed&owner=me' }]));
    await waitFor(() => expect(opened()).toEqual(['my failures']));
    expect(address()).toContain('view=my+failures');
  });

  it('bring their columns along', async () => {
    const { address } = await open('/jobs', [nights]);
    expect(screen.queryByText('pytorch:2.9')).toBeNull();
    fireEvent.click(await strip().findByRole('button', { name: 'nights' }));
    expect(await screen.findByText('pytorch:2.9')).toBeTruthy();
    await waitFor(() => expect(address()).toBe('/jobs?state=failed&sort=-ended&view=nights'));
  });

  it('leave the columns that one chose for oneself alone', async () => {
    localStorage.setItem('danlu.jobs.columns', 'name,project');
    await open('/jobs', [nights]);
    fireEvent.click(await strip().findByRole('button', { name: 'nights' }));
    expect(await screen.findByText('pytorch:2.9')).toBeTruthy();
    fireEvent.click(strip().getByRole('button', { name: 'All jobs' }));
    await waitFor(() => expect(screen.queryByText('pytorch:2.9')).toBeNull());
    expect(localStorage.getItem('danlu.jobs.columns')).toBe('name,project');
  });

  it('cannot be saved before it is known which ones there are, and are added to those of another tab', async () => {
    let answer: (() => void) | undefined;
    const { calls } = openConsole('/jobs?state=failed&owner=me', {
      'GET session': session,
      'GET jobs': { items: [row()], total: 1, next_cursor: null },
      'GET me/preferences': () =>
        answer
          ? { ...preferences, views: [ofMine('mine'), ofMine('of another tab')] }
          : new Promise((resolve) => {
              answer = () => resolve({ ...preferences, views: [ofMine('mine')] });
            }),
      'PATCH me/preferences': ({ body }: Call) => ({ ...preferences, ...(body as object) }),
    });
    await screen.findByRole('link', { name: 'bert-pretrain' });
    expect(strip().queryByRole('button', { name: 'Save view' })).toBeNull();
    answer!();
    fireEvent.click(await strip().findByRole('button', { name: 'Save view' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name of the view' }), { target: { value: 'new' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
        views: [{ name: 'mine' }, { name: 'of another tab' }, { name: 'new' }],
      }),
    );
  });

  it('say when they were changed, and are updated with the change', async () => {
    const { kept } = await open('/jobs?owner=me&view=mine', [{ page: 'jobs', name: 'mine', query: 'owner=me' }]);
    await waitFor(() => expect(opened()).toEqual(['mine']));
    fireEvent.click(within(screen.getByRole('region', { name: 'Jobs' })).getByRole('button', { name: 'Name' }));
    await waitFor(() => expect(opened()).toEqual(['minechanged']));
    fireEvent.click(strip().getByRole('button', { name: 'Actions for the view mine' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Update with the changes' }));
    await waitFor(() => expect(kept()).toEqual([{ page: 'jobs', name: 'mine', query: 'owner=me&sort=name' }]));
    await waitFor(() => expect(opened()).toEqual(['mine']));
  });

  it('are renamed and deleted; those of other pages stay', async () => {
    const other = { page: 'queue', name: 'mine', query: '' };
    const { kept, address } = await open('/jobs?owner=me&view=mine', [{ page: 'jobs', name: 'mine', query: 'owner=me' }, other]);
    fireEvent.click(await strip().findByRole('button', { name: 'Actions for the view mine' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name of the view' }), { target: { value: 'ours' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(kept()).toEqual([{ page: 'jobs', name: 'ours', query: 'owner=me' }, other]));
    fireEvent.click(await strip().findByRole('button', { name: 'Actions for the view ours' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    fireEvent.click(within(await screen.findByRole('dialog', { name: 'Delete the view ours?' })).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(kept()).toEqual([other]));
    await waitFor(() => expect(address()).toBe('/jobs?owner=me'));
  });
});
