import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, Refusal } from '@/testing/app';
import { GIB, listed, openVolumes, shared, volume } from './testing';

const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('the volumes', () => {
  it('are listed with how full they are, behind the two that everybody has', async () => {
    openVolumes('/volumes', {
      'GET volumes': listed([
        { ...volume, mounts: 7, mounted_by: ['train', 'eval'] },
        { ...shared, mounts: 2 },
      ]),
    });
    const row = (await screen.findByRole('link', { name: 'imagenet' })).closest('tr')!;
    expect(row.textContent).toMatch(/^imagenetFile system50 GiB of 100 GiB · counted .*Youtrain and 6 moreNobody else$/);
    expect(within(row).getByRole('meter').getAttribute('aria-valuenow')).toBe('50');
    expect(screen.getByRole('link', { name: 'corpus' }).closest('tr')!.textContent).toMatch(
      /^corpusPublicSensitiveBlock.*wang2 jobsEverybody, nlp$/,
    );
    const names = screen.getAllByRole('row').slice(1, 3);
    expect(names.map(({ textContent }) => textContent)).toEqual([
      'Personal directoryIn every job at /mnt/linYou',
      'ArchiveIn every job at /archives/linYou',
    ]);
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are made of the kind that a job’s form recommended', async () => {
    const { address } = openVolumes('/volumes?make=block', { 'GET volumes': listed([]) });
    const dialog = await inDialog('New volume');
    const block = dialog.getByRole('radio', { name: /^One job writes.*recommended for your job/ });
    expect(block).toHaveProperty('checked', true);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(address()).toBe('/volumes'));
  });

  it('say what to do where there are none', async () => {
    openVolumes('/volumes');
    expect(await screen.findByText('No volumes yet')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'New volume' })).toHaveLength(2);
  });

  it('are made of the kind that serves what one wants to do, with the quota in sight', async () => {
    const { sent, address } = openVolumes('/volumes', {
      'POST volumes': ({ body }: { body: { name: string } }) =>
        body.name.includes(' ')
          ? new Refusal(422, {
              type: 'invalid',
              title: 'x',
              detail: 'x',
              errors: [{ loc: ['name'], code: 'bad_form', message: 'no spaces' }],
            })
          : { ...volume, ...body, uses: [] },
    });
    fireEvent.click((await screen.findAllByRole('button', { name: 'New volume' }))[0]!);
    const dialog = await inDialog('New volume');
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'ckpt a' } });
    fireEvent.click(dialog.getByRole('radio', { name: /^One job writes/ }));
    await dialog.findByText(/5 GiB left of your quota of 8 GiB/);
    const capacity = dialog.getByLabelText('Capacity');
    expect(dialog.getByText('Only 5 GiB of your quota is left')).toBeTruthy();
    fireEvent.change(capacity, { target: { value: 'much' } });
    expect(dialog.getByText('Write a size, for example 500GiB')).toBeTruthy();
    fireEvent.change(capacity, { target: { value: '4GiB' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Create volume' }));
    expect(await dialog.findByText('no spaces')).toBeTruthy();
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'ckpt' } });
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Create volume' }));
    await waitFor(() => expect(address()).toBe(`/volumes/${volume.id}`));
    expect(sent('POST volumes').at(-1)).toEqual({ name: 'ckpt', kind: 'block', capacity: 4 * GIB, description: '' });
  });

  it('of a cluster are claims that exist there, which administrators name', async () => {
    const { sent } = openVolumes('/volumes', {
      'GET permissions': { items: ['volume:write', 'cluster:write'], everywhere: ['cluster:write'] },
      'GET clusters': { items: [{ name: 'lab', block_class: '', filesystem_class: '' }], next_cursor: null },
      'POST volumes': ({ body }: { body: object }) => ({ ...volume, ...body, uses: [] }),
    });
    fireEvent.click((await screen.findAllByRole('button', { name: 'New volume' }))[0]!);
    const dialog = await inDialog('New volume');
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'features' } });
    fireEvent.change(await dialog.findByLabelText('Cluster'), { target: { value: 'lab' } });
    const create = dialog.getByRole('button', { name: 'Create volume' });
    expect(create).toHaveProperty('disabled', true);
    fireEvent.change(dialog.getByLabelText(/^Claim/), { target: { value: 'nfs-features' } });
    fireEvent.click(create);
    await waitFor(() => expect(sent('POST volumes')[0]).toMatchObject({ cluster: 'lab', claim: 'nfs-features' }));
  });

  it('are made in a cluster by anybody where it has a storage class for their kind', async () => {
    const { sent } = openVolumes('/volumes', {
      'GET clusters': { items: [{ name: 'lab', block_class: 'ssd', filesystem_class: '' }], next_cursor: null },
      'POST volumes': ({ body }: { body: object }) => ({ ...volume, ...body, uses: [] }),
    });
    fireEvent.click((await screen.findAllByRole('button', { name: 'New volume' }))[0]!);
    const dialog = await inDialog('New volume');
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'disk' } });
    expect(dialog.queryByLabelText('Cluster')).toBeNull();
    fireEvent.click(dialog.getByRole('radio', { name: /^One job writes/ }));
    fireEvent.change(await dialog.findByLabelText('Cluster'), { target: { value: 'lab' } });
    expect(dialog.queryByLabelText(/^Claim/)).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Create volume' }));
    await waitFor(() => expect(sent('POST volumes')[0]).toMatchObject({ cluster: 'lab', kind: 'block' }));
    expect(sent('POST volumes')[0]).not.toHaveProperty('claim');
  });

  it('that were deleted come back from the trash, or go for good after a question', async () => {
    const { sent, calls } = openVolumes('/volumes?tab=trash', {
      'GET volumes': listed([{ ...volume, trashed_at: '2026-05-01T10:00:00Z', gone_at: '2026-05-08T10:00:00Z' }]),
      [`POST volumes/${volume.id}/restore`]: { ...volume, uses: [] },
      [`DELETE volumes/${volume.id}`]: null,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Restore imagenet' }));
    await waitFor(() => expect(sent(`POST volumes/${volume.id}/restore`)).toHaveLength(1));
    fireEvent.click(screen.getByRole('button', { name: 'Delete imagenet for good' }));
    const dialog = await inDialog('Delete imagenet for good?');
    expect(dialog.getByText(/50 GiB.*cannot be undone/)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete for good' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'DELETE')?.query.get('forever')).toBe('true'));
  });
});
