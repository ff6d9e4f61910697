import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Quota } from '@/api/rules/quotas';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { node, preferences, session } from '@/testing/samples';

const fallback: Quota = { name: 'default', amounts: { workspace: { gpus: 3 } }, storage: {}, raises: [], description: '' };
const lin: Quota = {
  name: 'user:lin',
  amounts: { all: { gpus: 8, memory: 2 ** 38, A100: null } },
  storage: { block: 2 ** 40 },
  raises: [{ amounts: { all: { gpus: 16 } }, until: '2026-06-01T10:00:00Z', by: 'root', reason: 'paper' }],
  description: '',
};

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(800);
});

function open(answers: Answers = {}, items: Quota[] = [fallback, lin], address = '/quotas') {
  const everywhere = ['quota:write'];
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: everywhere, everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET nodes': { items: [node()] },
    'GET quotas': { items, next_cursor: null, total: items.length },
    ...answers,
  });
  return {
    ...console,
    sent: (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body),
  };
}
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the quotas', () => {
  it('tell whose they are, how much, and what is raised', async () => {
    open();
    const row = (await screen.findByText('lin')).closest('tr')!;
    expect(row.textContent).toContain('All classes together: 8 GPUs, 256 GiB Memory, unlimited A100');
    expect(row.textContent).toContain('Block: 1 TiB');
    expect(row.textContent).toContain('All classes together: 16 GPUs, until Jun 1, 2026');
    expect(screen.getByText('Workspace: 3 GPUs')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are searched by the server', async () => {
    const { calls, address } = open();
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'lin' } });
    await waitFor(() => expect(address()).toBe('/quotas?search=lin'));
    await waitFor(() => expect(calls.findLast(({ path }) => path === 'quotas')!.query.get('search')).toBe('lin'));
  });

  it('begin with a default for everybody', async () => {
    const { sent } = open({ 'PUT quotas/default': fallback }, []);
    fireEvent.click(await screen.findByRole('button', { name: 'Set a quota' }));
    const dialog = await inDialog('Set a quota');
    fireEvent.click(dialog.getByRole('radio', { name: 'Everybody (default)' }));
    fireEvent.change(dialog.getByLabelText('Workspace: GPUs'), { target: { value: '3' } });
    fireEvent.change(dialog.getByLabelText('All classes together: Memory'), { target: { value: '64' } });
    fireEvent.change(dialog.getByLabelText('Single node: Jobs'), { target: { value: '∞' } });
    fireEvent.change(dialog.getByLabelText('Block'), { target: { value: '1TiB' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('PUT quotas/default')).toEqual([
        {
          amounts: { workspace: { gpus: 3 }, all: { memory: 64 * 2 ** 30 }, single: { jobs: null } },
          storage: { block: 2 ** 40 },
          description: '',
        },
      ]),
    );
  });

  it('of several persons are the same when set together, and a mistake stands at its cell', async () => {
    const wrong = new Refusal(422, {
      type: 'invalid',
      title: 'x',
      detail: 'x',
      errors: [{ loc: ['amounts', 'all', 'gpus'], code: 'wrong_type', message: 'no number' }],
    });
    const { sent } = open({
      'POST quotas/bulk': ({ body }: { body: { amounts: { all: { gpus: unknown } } } }) => (body.amounts.all.gpus === 'many' ? wrong : {}),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Set a quota' }));
    const dialog = await inDialog('Set a quota');
    fireEvent.change(dialog.getByLabelText('Names'), { target: { value: 'lin, wang' } });
    const cell = dialog.getByLabelText('All classes together: GPUs');
    fireEvent.change(cell, { target: { value: 'many' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('no number')).toBeTruthy();
    expect(cell.getAttribute('aria-invalid')).toBe('true');
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.change(cell, { target: { value: '4' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('POST quotas/bulk').at(-1)).toEqual({
        names: ['user:lin', 'user:wang'],
        amounts: { all: { gpus: 4 } },
        storage: {},
        description: '',
      }),
    );
  });

  it('that are chosen get the same', async () => {
    const { sent } = open({ 'POST quotas/bulk': {} });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Set the same for all' }));
    const dialog = await inDialog('Set a quota');
    fireEvent.change(dialog.getByLabelText('All classes together: Jobs'), { target: { value: '20' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent('POST quotas/bulk')).toMatchObject([{ names: ['default', 'user:lin'], amounts: { all: { jobs: 20 } } }]),
    );
  });

  it('are changed as they were read', async () => {
    const { sent } = open({ 'PUT quotas/user%3Alin': lin, 'PUT quotas/user:lin': lin });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit lin' }));
    const dialog = await inDialog('Edit lin');
    expect((dialog.getByLabelText('All classes together: A100') as HTMLInputElement).value).toBe('∞');
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect([...sent('PUT quotas/user:lin'), ...sent('PUT quotas/user%3Alin')]).toEqual([
        { amounts: lin.amounts, storage: lin.storage, description: '' },
      ]),
    );
  });

  it('are raised for a while with a reason', async () => {
    const { sent } = open({ 'POST quotas/user:lin/raises': lin, 'POST quotas/user%3Alin/raises': lin });
    fireEvent.click(await screen.findByRole('button', { name: 'Raise temporarily: lin' }));
    const dialog = await inDialog('Raise temporarily: lin');
    expect(dialog.getByRole('list', { name: 'Raised' }).textContent).toContain('16 GPUs — paper');
    fireEvent.change(dialog.getByLabelText('Distributed: GPUs'), { target: { value: '32' } });
    fireEvent.change(dialog.getByLabelText('For how long'), { target: { value: '3d' } });
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'deadline' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Raise' }));
    await waitFor(() =>
      expect([...sent('POST quotas/user:lin/raises'), ...sent('POST quotas/user%3Alin/raises')]).toEqual([
        { amounts: { distributed: { gpus: 32 } }, life: '3d', reason: 'deadline' },
      ]),
    );
  });

  it('are raised for somebody who has none of their own, with what holds now in sight', async () => {
    const items = [{ quota: 'user:wang', class: 'all', resource: 'gpus', limit: 4, used: 0, source: 'default', until: null }];
    const { sent } = open(
      {
        'GET users/wang/quota': { items, storage: [], budgets: [], limits: [], caps: [] },
        'POST quotas/user:wang/raises': lin,
        'POST quotas/user%3Awang/raises': lin,
      },
      [],
      '/quotas?search=wang&raise=user%3Awang',
    );
    const dialog = await inDialog('Raise temporarily: wang');
    const cell = dialog.getByLabelText('All classes together: GPUs') as HTMLInputElement;
    await waitFor(() => expect(cell.placeholder).toBe('4'));
    fireEvent.change(cell, { target: { value: '12' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Raise' }));
    await waitFor(() =>
      expect([...sent('POST quotas/user:wang/raises'), ...sent('POST quotas/user%3Awang/raises')]).toMatchObject([
        { amounts: { all: { gpus: 12 } } },
      ]),
    );
  });

  it('end their raises early when asked to', async () => {
    const { sent } = open({ 'DELETE quotas/user:lin/raises': lin, 'DELETE quotas/user%3Alin/raises': lin });
    fireEvent.click(await screen.findByRole('button', { name: 'End the raises of lin' }));
    fireEvent.click((await inDialog('End the raises of lin')).getByRole('button', { name: 'End them now' }));
    await waitFor(() => expect([...sent('DELETE quotas/user:lin/raises'), ...sent('DELETE quotas/user%3Alin/raises')].length).toBe(1));
  });

  it('are sent once, however fast one presses', async () => {
    const { sent } = open({ 'PUT quotas/default': fallback }, []);
    fireEvent.click(await screen.findByRole('button', { name: 'Set a quota' }));
    const dialog = await inDialog('Set a quota');
    fireEvent.click(dialog.getByRole('radio', { name: 'Everybody (default)' }));
    const save = dialog.getByRole('button', { name: 'Save' });
    fireEvent.click(save);
    fireEvent.click(save);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('PUT quotas/default').length).toBe(1);
  });

  it('tell of storage which setting holds where they say nothing', async () => {
    open({}, []);
    fireEvent.click(await screen.findByRole('button', { name: 'Set a quota' }));
    expect((await inDialog('Set a quota')).getByText('Empty: as in the settings (results_total); such as 1TiB')).toBeTruthy();
  });

  it('are not shown to those who may not', async () => {
    open({ 'GET quotas': new Refusal(403, { type: 'forbidden', title: 'No', detail: 'quota:write is needed' }) });
    expect(await screen.findByText('You are not allowed to see this')).toBeTruthy();
  });
});
