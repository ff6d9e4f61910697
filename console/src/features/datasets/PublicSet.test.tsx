import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, Refusal } from '@/testing/app';
import { act, dataset, list, openDatasets, ownRecipe, recipe } from './testing';

const AT = '/datasets';
const begun = { dataset: dataset.id, title: dataset.title, act: act({ kind: 'import', recipe: 'cifar10' }) };

async function opened(answers: Parameters<typeof openDatasets>[1] = {}) {
  const console = openDatasets(AT, {
    'GET datasets': list(dataset),
    'GET dataset-recipes': { items: [recipe, ownRecipe] },
    'POST dataset-recipes/cifar10/import': begun,
    'POST dataset-recipes/imagenet/import': begun,
    ...answers,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Public set…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import a public set' }));
  await dialog.findByText('Small images in ten classes.');
  return { ...console, dialog };
}

describe('a public set', () => {
  it('tells its licence, size and origin, and a stand-in of it is asked for', async () => {
    const { dialog, sent, address } = await opened();
    for (const text of ['classification', 'none stated', 'cifar.example']) expect(dialog.getByText(text)).toBeTruthy();
    expect(dialog.getByText('162 MiB, 177 MiB unpacked')).toBeTruthy();
    expect(dialog.getByText('VOLUME:/path; otherwise personal:/datasets/cifar10')).toBeTruthy();
    fireEvent.click(dialog.getByLabelText('A stand-in instead'));
    expect(dialog.getByText('VOLUME:/path; otherwise personal:/datasets/cifar10-stand-in')).toBeTruthy();
    expect(dialog.queryByLabelText('Folder with the archives')).toBeNull();
    fireEvent.change(dialog.getByLabelText('Images'), { target: { value: '600' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Import' }));
    await waitFor(() => expect(address()).toBe(`/datasets/${dataset.id}?tab=versions`));
    expect(sent('POST dataset-recipes/cifar10/import')).toEqual([
      { name: '', into: '', source: '', stand_in: true, size: 600, checked: true },
    ]);
  });

  it('whose archives people bring is not imported before they say where these are', async () => {
    let tries = 0;
    const refusal = { loc: ['source'], code: 'bad_end', message: 'x', message_text: { en: 'no such place', zh: '无' } };
    const { dialog, sent } = await opened({
      'POST dataset-recipes/imagenet/import': () =>
        ++tries === 1 ? new Refusal(422, { type: 'invalid', title: 'x', detail: 'no such place', errors: [refusal] }) : begun,
    });
    fireEvent.change(dialog.getByLabelText('Set'), { target: { value: 'imagenet' } });
    expect(await dialog.findByText('an account at image-net.org')).toBeTruthy();
    const go = dialog.getByRole('button', { name: 'Import' });
    expect(go).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByLabelText(/^Folder with the archives/), { target: { value: 'raw:/archives' } });
    fireEvent.click(dialog.getByLabelText('Archives may differ from the originals'));
    fireEvent.click(go);
    expect(await dialog.findByText(/no such place|x/)).toBeTruthy();
    fireEvent.click(go);
    await waitFor(() => expect(sent('POST dataset-recipes/imagenet/import')).toHaveLength(2));
    expect(sent('POST dataset-recipes/imagenet/import')[0]).toMatchObject({ source: 'raw:/archives', checked: false, size: null });
  });
});

describe('an import', () => {
  it('tells how far its part is, and can be cancelled', async () => {
    const { sent, calls } = openDatasets(`/datasets/${dataset.id}?tab=versions`, {
      [`GET datasets/${dataset.id}/acts`]: {
        items: [act({ kind: 'import', recipe: 'coco2017', parts: 1, parts_total: 4, bytes: 2 ** 20, bytes_total: 2 ** 22 })],
      },
      [`DELETE datasets/${dataset.id}/acts/a1`]: act(),
    });
    expect((await screen.findByRole('progressbar', { name: 'Importing coco2017' })).getAttribute('aria-valuenow')).toBe('25');
    expect(screen.getByText(/Part 2 of 4 · 1 MiB of 4 MiB/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
    expect(sent(`POST datasets/${dataset.id}/acts/a1/resume`)).toEqual([]);
  });

  it('that failed says why and goes on', async () => {
    const error = { en: 'there is nothing at the address', zh: '地址处没有内容' };
    const { sent } = openDatasets(`/datasets/${dataset.id}?tab=versions`, {
      [`GET datasets/${dataset.id}/acts`]: { items: [act({ kind: 'import', recipe: 'coco2017', state: 'failed', error })] },
      [`POST datasets/${dataset.id}/acts/a1/resume`]: act({ kind: 'import', recipe: 'coco2017' }),
    });
    expect(await screen.findByText('The import of coco2017 failed')).toBeTruthy();
    expect(screen.getByText(/nothing at the address/)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(sent(`POST datasets/${dataset.id}/acts/a1/resume`)).toHaveLength(1));
  });
});
