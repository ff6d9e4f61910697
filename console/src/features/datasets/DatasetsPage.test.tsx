import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, Refusal } from '@/testing/app';
import { act, dataset, list, openDatasets, shared, whole } from './testing';

const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('link')[0]!.textContent);

describe('the datasets', () => {
  it('are listed with their newest version, and found by name and by whose they are', async () => {
    openDatasets('/datasets', { 'GET datasets': list(dataset, shared) });
    const row = (await screen.findByRole('link', { name: 'cifar' })).closest('tr')!;
    expect(row.textContent).toMatch(/^cifarSmall imagesv21,2005 MiB.*YouNobody else$/);
    expect(screen.getByRole('link', { name: 'corpus' }).closest('tr')!.textContent).toMatch(/^corpusPublicnone.*wangEverybody$/);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Public' }));
    await waitFor(() => expect(names()).toEqual(['corpus']));
    fireEvent.click(screen.getByRole('button', { name: 'Mine' }));
    await waitFor(() => expect(names()).toEqual(['cifar']));
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing like it' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(names()).toEqual(['cifar', 'corpus']));
  });

  it('say what to do where there are none, and come of a folder of a volume', async () => {
    let tries = 0;
    const { sent, address } = openDatasets('/datasets', {
      'GET volumes': list({ id: 'v1', name: 'raw', owner: 'lin', title: 'lin:raw', mode: 'rw', kind: 'filesystem' }),
      'GET volumes/v1/files': {
        items: [{ name: 'images', key: 'images', kind: 'folder', size: 0, modified: dataset.created_at, target: null }],
        next_cursor: null,
        total: 1,
        whole: true,
        inside: null,
      },
      'POST datasets': whole(dataset),
      [`POST datasets/${dataset.id}/snapshots`]: () =>
        ++tries === 1 ? new Refusal(409, { type: 'conflict', title: 'x', detail: 'the volume is busy', errors: [] }) : act(),
    });
    expect(await screen.findByText('No datasets yet')).toBeTruthy();
    fireEvent.click((await screen.findAllByRole('button', { name: 'New dataset version' }))[0]!);
    const dialog = await inDialog('New dataset version');
    await dialog.findByRole('option', { name: 'raw' });
    fireEvent.change(dialog.getByLabelText('Place'), { target: { value: 'v1' } });
    fireEvent.click(await dialog.findByRole('button', { name: 'images' }));
    const make = dialog.getByRole('button', { name: 'Make version' });
    expect(make).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByLabelText('Name of the new dataset'), { target: { value: 'cifar' } });
    fireEvent.change(dialog.getByLabelText('Tags'), { target: { value: 'train, small' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(make);
    expect(await dialog.findByText('the volume is busy')).toBeTruthy();
    fireEvent.click(make);
    await waitFor(() => expect(address()).toBe(`/datasets/${dataset.id}?tab=versions`));
    // The one that the first try made goes on being used.
    expect(sent('POST datasets')).toEqual([{ name: 'cifar', description: '' }]);
    expect(sent(`POST datasets/${dataset.id}/snapshots`).at(-1)).toEqual({
      volume: 'v1',
      path: 'images',
      tags: ['train', 'small'],
      note: '',
      reread: false,
    });
  });

  it('that were deleted come back from the trash, or go for good after a question', async () => {
    const { sent, calls } = openDatasets('/datasets?tab=trash', {
      'GET datasets': list({ ...dataset, trashed_at: dataset.created_at, gone_at: '2026-05-08T10:00:00Z' }),
      [`POST datasets/${dataset.id}/restore`]: whole(dataset),
      [`DELETE datasets/${dataset.id}`]: null,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Restore cifar' }));
    await waitFor(() => expect(sent(`POST datasets/${dataset.id}/restore`)).toHaveLength(1));
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Delete cifar for good' }));
    const dialog = await inDialog('Delete cifar for good?');
    fireEvent.click(dialog.getByRole('button', { name: 'Delete for good' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'DELETE')?.query.get('forever')).toBe('true'));
  });
});
