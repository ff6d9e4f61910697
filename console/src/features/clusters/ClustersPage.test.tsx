import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '@/api/clusters';
import type { Finding } from '@/api/types';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const lab: Cluster = {
  name: 'lab',
  state: 'ready',
  why: '',
  server: 'https://k8s.lab:6443',
  namespace: 'danlu-jobs',
  image: 'python:3.12-slim',
  helper: '',
  dns: true,
  pull_policy: 'IfNotPresent',
  pull_secrets: [],
  tolerations: ['nvidia.com/gpu'],
  rdma_resource: 'rdma/hca',
  admission_time: '1m',
  lost_time: '1m',
  description: 'Third floor',
  block_class: '',
  filesystem_class: 'nfs',
  personal_claim: '',
  personal_size: 2 ** 30,
  in_cluster: false,
  credentials_at: '2026-05-01T10:00:00Z',
  nodes: { ready: 2, total: 3 },
  gpus: [{ model: 'A100', total: 16, used: 2, others: 3 }],
  tasks: 2,
  findings: [],
};
const ok: Finding = { code: 'reachable', level: 'ok', text: { en: 'Kubernetes 1.31 answers', zh: '有应答' }, fix: null };
const missing: Finding = {
  code: 'namespace',
  level: 'missing',
  text: { en: 'There is no namespace', zh: '没有命名空间' },
  fix: { en: 'kubectl create namespace x', zh: '请创建' },
};
const notReady = new Refusal(409, {
  type: 'cluster_not_ready',
  title: 'Not ready',
  detail: 'not ready',
  errors: [],
  findings: [missing, ok],
});
const kubeconfig = 'contexts: [{name: a, context: {cluster: c}}, {name: b, context: {cluster: c}}]';

function open(address: string, answers: Answers = {}, mayWrite = true) {
  return openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: mayWrite ? ['cluster:write'] : [] },
    'GET clusters': { items: [lab], next_cursor: null },
    'GET clusters/lab': lab,
    ...answers,
  });
}

describe('the clusters', () => {
  it('tell what they have and who uses it', async () => {
    open('/clusters');
    const card = (await screen.findByRole('link', { name: 'lab' })).closest('li')!;
    expect(card.textContent).toContain('2 of 3 ready');
    expect(card.textContent).toContain('https://k8s.lab:6443');
    expect(within(card).getByRole('img', { name: 'A100: 2 used by jobs, 3 by others, 16 in total' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('say in their own words why they are out of reach', async () => {
    const items = [
      { ...lab, state: 'unreachable', why: 'dial tcp: refused' },
      { ...lab, name: 'new', state: 'empty', gpus: [] },
    ];
    open('/clusters', { 'GET clusters': { items, next_cursor: null } });
    expect(await screen.findByText('dial tcp: refused')).toBeTruthy();
    expect(screen.getByText(/read for the first time/)).toBeTruthy();
    expect(screen.getByText('No GPUs')).toBeTruthy();
  });

  it('say what to do where there are none', async () => {
    open('/clusters', { 'GET clusters': { items: [], next_cursor: null } });
    expect(await screen.findByText(/^danlu cluster create lab --kubeconfig/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add a cluster' })).toBeTruthy();
  });

  it('are added by administrators only', async () => {
    open('/clusters', { 'GET clusters': { items: [], next_cursor: null } }, false);
    expect(await screen.findByText(/An administrator can add/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a cluster' })).toBeNull();
  });
});

/** The dialog, with a name and a kubeconfig in it. */
async function begin(answers: Answers) {
  const console = open('/clusters', answers);
  fireEvent.click(await screen.findByRole('button', { name: 'Add a cluster' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'lab' } });
  fireEvent.change(dialog.getByLabelText('Kubeconfig'), { target: { value: kubeconfig } });
  return {
    ...console,
    dialog,
    sent: (call: string) =>
      console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body as Record<string, unknown>),
  };
}

describe('adding a cluster', () => {
  it('looks at it first when asked to, with the chosen context', async () => {
    const { dialog, sent } = await begin({ 'POST clusters/check': { ready: false, server: 'https://c', findings: [missing, ok] } });
    fireEvent.change(dialog.getByLabelText('Context'), { target: { value: 'b' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Check' }));
    const found = await dialog.findByRole('list', { name: 'Findings' });
    expect(
      within(found)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Missing: There is no namespacekubectl create namespace x', 'OK: Kubernetes 1.31 answers']);
    expect(sent('POST clusters/check')).toMatchObject([{ name: 'lab', context: 'b' }]);
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.change(dialog.getByLabelText('Namespace'), { target: { value: 'x' } });
    await waitFor(() => expect(dialog.queryByRole('list', { name: 'Findings' })).toBeNull());
  });

  it('tells what is missing and insists when told to', async () => {
    const { dialog, sent } = await begin({ 'POST clusters': ({ body }: { body: { force: boolean } }) => (body.force ? lab : notReady) });
    fireEvent.click(dialog.getByRole('button', { name: 'Add a cluster' }));
    expect(await dialog.findByText('There is no namespace')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Add anyway' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('POST clusters').map(({ name, force }) => [name, force])).toEqual([
      ['lab', false],
      ['lab', true],
    ]);
  });

  it('tells mistakes at their fields', async () => {
    const errors = [
      { loc: ['name'], code: 'reserved', message: 'that is this machine', hint: 'choose another' },
      { loc: ['kubeconfig'], code: 'x', message: 'it refers to a file' },
    ];
    const { dialog } = await begin({ 'POST clusters': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    fireEvent.click(dialog.getByRole('button', { name: 'Add a cluster' }));
    expect(await dialog.findByText('that is this machine (choose another)')).toBeTruthy();
    expect(dialog.getByText('it refers to a file')).toBeTruthy();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('unfolds what is wrong among the seldom used settings', async () => {
    const errors = [{ loc: ['lost_time'], code: 'out_of_range', message: 'too short' }];
    const { dialog } = await begin({ 'POST clusters': new Refusal(422, { type: 'invalid', title: 'x', detail: 'x', errors }) });
    fireEvent.click(dialog.getByRole('button', { name: 'Add a cluster' }));
    expect((await dialog.findByText('too short')).closest('details')!.open).toBe(true);
  });

  it('knows a text that is no kubeconfig, and takes a file', async () => {
    const { dialog } = await begin({});
    fireEvent.change(dialog.getByLabelText('Kubeconfig'), { target: { value: 'words' } });
    expect(await dialog.findByText(/This is not a kubeconfig/)).toBeTruthy();
    await userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File([kubeconfig], 'config'));
    expect(await dialog.findByLabelText('Context')).toBeTruthy();
  });

  it('needs no kubeconfig where Danlu runs in it', async () => {
    const { dialog, sent } = await begin({ 'POST clusters': lab });
    fireEvent.click(dialog.getByLabelText('Danlu runs in it'));
    expect(dialog.queryByLabelText('Kubeconfig')).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: 'Add a cluster' }));
    await waitFor(() => expect(sent('POST clusters')).toEqual([{ name: 'lab', in_cluster: true, force: false }]));
  });
});

describe('a cluster', () => {
  it('shows its settings and leads to its nodes', async () => {
    open('/clusters/lab');
    expect(await screen.findByText('python:3.12-slim')).toBeTruthy();
    expect(screen.getByText('2 of 3 nodes ready · 2 tasks')).toBeTruthy();
    expect(screen.getByText('5 / 16 · 3 used by others')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See its nodes' }).getAttribute('href')).toBe('/nodes?cluster=lab');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is looked at again', async () => {
    open('/clusters/lab', { 'POST clusters/lab/check': { ready: true, server: 'https://c', findings: [ok] } });
    fireEvent.click(await screen.findByRole('button', { name: 'Check' }));
    expect(await screen.findByText('Kubernetes 1.31 answers')).toBeTruthy();
    expect(screen.getByText('The cluster has everything that Danlu needs.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Check again' })).toBeTruthy();
  });

  it('that works with less is not called all right', async () => {
    open('/clusters/lab', {
      'POST clusters/lab/check': { ready: true, server: 'https://c', findings: [{ ...missing, level: 'warning' }, ok] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Check' }));
    expect(await screen.findByText('Jobs can run there, with limitations: see the marked findings.')).toBeTruthy();
    expect(screen.queryByText('The cluster has everything that Danlu needs.')).toBeNull();
  });

  it('is changed in what was typed', async () => {
    const { calls } = open('/clusters/lab', { 'PATCH clusters/lab': lab });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit lab' }));
    fireEvent.change(dialog.getByLabelText('Default image'), { target: { value: 'pytorch:2' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.find(({ method }) => method === 'PATCH')!.body).toEqual({ image: 'pytorch:2', force: false });
  });

  it('is removed after saying what is affected, and by force if it is in use', async () => {
    const used = new Refusal(409, { type: 'conflict', title: 'x', detail: 'cluster lab is used by job bert of lin', errors: [] });
    const { calls, address } = open('/clusters/lab', {
      'DELETE clusters/lab': ({ query }: { query: URLSearchParams }) => (query.get('force') === 'true' ? {} : used),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove lab?' }));
    expect(dialog.getByText('3 nodes · 2 tasks')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await dialog.findByText('cluster lab is used by job bert of lin')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove anyway' }));
    await waitFor(() => expect(address()).toBe('/clusters'));
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  });

  it('shows engineers neither its address nor anything to change', async () => {
    open('/clusters/lab', { 'GET clusters/lab': { ...lab, server: null } }, false);
    expect(await screen.findByText('python:3.12-slim')).toBeTruthy();
    expect(screen.queryByText('API server')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  });

  it('says so where there is none of that name', async () => {
    open('/clusters/gone');
    expect(await screen.findByText('No such cluster')).toBeTruthy();
  });
});
