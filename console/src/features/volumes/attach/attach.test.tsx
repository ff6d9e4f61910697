import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, Refusal } from '@/testing/app';
import { openVolumes, volume, whole } from '../testing';
import { exportSource, NO_EXPORT } from './ExportFields';

const source = { address: 's3://data/', endpoint: 'https://s3.example.org', region: 'us-east-1', writable: false, private: true };
const attached = { ...volume, name: 'pool', kind: 'bucket' as const, capacity: 0, used: null, source, has_login: true };
const fine = { code: 'name', level: 'ok', text: { en: 'it leads there', zh: '可以解析' }, fix: null };
const wrong = { code: 'login', level: 'missing', text: { en: 'the login is not known', zh: '登录凭据无效' }, fix: null };
const findings = [fine, wrong];

describe('a bucket outside', () => {
  it('is attached with its login, and a refusal says at which step', async () => {
    let asked = 0;
    const { sent, address } = openVolumes('/volumes', {
      'POST volumes': () =>
        asked++ === 0
          ? new Refusal(409, { type: 'not_attachable', title: 'x', detail: 'the login is not known', errors: [], findings })
          : whole(attached),
    });
    fireEvent.click((await screen.findAllByRole('button', { name: 'New volume' }))[0]!);
    const dialog = within(await screen.findByRole('dialog', { name: 'New volume' }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'pool' } });
    fireEvent.click(dialog.getByRole('radio', { name: /^Data is in a bucket/ }));
    expect(dialog.queryByLabelText('Capacity')).toBeNull();
    fireEvent.change(dialog.getByLabelText('Address'), { target: { value: 's3://data' } });
    fireEvent.change(dialog.getByLabelText('Endpoint'), { target: { value: 'https://s3.example.org' } });
    fireEvent.change(dialog.getByLabelText('Access key'), { target: { value: 'KEY' } });
    fireEvent.change(dialog.getByLabelText('Secret'), { target: { value: 'hush' } });
    expect(dialog.queryByRole('checkbox', { name: 'It can be shared with others' })).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Check and attach' }));
    const steps = await dialog.findByLabelText('What was found');
    expect(steps.textContent).toBe('Namefineit leads thereLoginfailedthe login is not known');
    fireEvent.click(dialog.getByRole('button', { name: 'Check and attach' }));
    await waitFor(() => expect(address()).toBe(`/volumes/${volume.id}`));
    expect(sent('POST volumes').at(-1)).toEqual({
      name: 'pool',
      kind: 'bucket',
      description: '',
      source: { address: 's3://data', endpoint: 'https://s3.example.org', region: '', writable: false, private: true },
      login: { key: 'KEY', secret: 'hush' },
    });
  });

  it('says where it is, is looked at again, and has no size to change', async () => {
    openVolumes(`/volumes/${volume.id}?tab=settings`, {
      [`GET volumes/${volume.id}`]: whole(attached),
      [`POST volumes/${volume.id}/check`]: { ready: false, findings },
    });
    expect(await screen.findByText('kept sealed')).toBeTruthy();
    expect(screen.getAllByText('s3://data/').length).toBeGreaterThan(0);
    expect(screen.getByText('Private')).toBeTruthy();
    expect(screen.queryByLabelText('Capacity')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Check now' }));
    expect(await screen.findByText('the login is not known')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });
});

const filledExport = async () => {
  fireEvent.click((await screen.findAllByRole('button', { name: 'New volume' }))[0]!);
  const dialog = within(await screen.findByRole('dialog', { name: 'New volume' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'pool' } });
  fireEvent.click(dialog.getByRole('radio', { name: /^Data is on an NFS server/ }));
  fireEvent.change(dialog.getByLabelText('Address'), { target: { value: 'nfs://nas/sets' } });
  return dialog;
};

describe('an NFS export outside', () => {
  const nfs = { ...source, address: 'nfs://nas/sets', endpoint: '', region: '' };
  const pool = { ...attached, kind: 'nfs' as const, source: nfs, has_login: false };

  it('is attached without a login, and a refusal says at which step', async () => {
    const closed = { ...wrong, code: 'export' };
    const { sent } = openVolumes('/volumes', {
      'POST volumes': () => new Refusal(409, { type: 'not_attachable', title: 'x', detail: 'no', errors: [], findings: [fine, closed] }),
    });
    const dialog = await filledExport();
    for (const absent of ['Capacity', 'Endpoint', 'Access key', 'Read as user (uid)']) expect(dialog.queryByLabelText(absent)).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Check and attach' }));
    const steps = await dialog.findByLabelText('What was found');
    expect(steps.textContent).toContain('Exportfailed');
    expect(sent('POST volumes').at(-1)).toEqual({
      name: 'pool',
      kind: 'nfs',
      description: '',
      source: { address: 'nfs://nas/sets', endpoint: '', region: '', writable: false, private: true },
    });
  });

  it('says where it is, and has no login to change', async () => {
    openVolumes(`/volumes/${volume.id}?tab=settings`, { [`GET volumes/${volume.id}`]: whole(pool) });
    expect((await screen.findAllByText('nfs://nas/sets')).length).toBeGreaterThan(0);
    expect(screen.queryByLabelText('Access key')).toBeNull();
    expect(screen.queryByText('Endpoint')).toBeNull();
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('as whom an export is read', () => {
  it('is part of its address', () => {
    const whom = { ...NO_EXPORT, address: ' nfs://nas/sets ', uid: '1001', gid: '7', shareable: true };
    expect(exportSource(whom).source).toMatchObject({ address: 'nfs://nas/sets?uid=1001&gid=7', private: false });
  });
});
