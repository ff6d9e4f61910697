/** The submit page in tests: a server that knows machines and rules, and short ways to write and read. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CheckResult } from '@/api/jobs';
import type { Node } from '@/api/nodes';
import { openConsole } from '@/testing/app';
import type { Answers, Call } from '@/testing/app';
import { valueOf } from '@/testing/fields';
import { frameworks } from '@/testing/frameworks';
import { detail, session } from '@/testing/samples';

const GIB = 2 ** 30;

function node(name: string, cards: number, model: string | null): Node {
  return {
    name,
    state: 'ready',
    virtual: false,
    address: null,
    cpus: 64,
    memory: 512 * GIB,
    gpu_model: model,
    labels: { rack: 'r1' },
    given_labels: {},
    used: { cpus: 0, memory: 0, gpus: 0 },
    gpus: Array.from({ length: cards }, (_, index) => ({ index, uuid: null, declared: true })),
    tasks: [],
    pool: 'default',
    cluster: '',
    foreign: { cpus: 0, memory: 0, gpus: 0 },
    free: { cpus: 64, memory: 512 * GIB, gpus: cards },
    why: '',
    note: '',
    drain_by: null,
    closes_at: null,
    maintenance: null,
    isolation: null,
    network: null,
  };
}

export const good: CheckResult = {
  valid: true,
  errors: [],
  size: { tasks: 2, gpus: 16, gpu_model: 'A100', cpus: 64, memory: 512 * GIB },
  would: { starts_now: true, ahead: 0 },
};

export const served = {
  id: 'pytorch',
  group: 'frameworks',
  framework: 'pytorch',
  strategy: null,
  label: { en: 'PyTorch', zh: 'PyTorch 训练' },
  about: { en: 'Two workers that average their gradients.', zh: '两个工作进程对梯度求平均。' },
  file: `# PyTorch\nkind: training\nname: pytorch-ddp\nframework: pytorch\nnodes: 2\ncode: {archive: "${'a'.repeat(64)}"}\ncommand: python train.py\n`,
};

export const answers: Answers = {
  'GET session': session,
  'GET jobs': { items: [], next_cursor: null, total: 0 },
  'GET schema/job': {},
  'GET projects': {
    items: [
      {
        name: 'public',
        weight: 1,
        guarantee: {},
        cap: {},
        closed: false,
        reclaimable: true,
        node_selector: {},
        priorities: [],
        description: '',
        creator: '',
      },
    ],
  },
  'GET priorities': {
    items: [
      {
        name: 'normal',
        value: 200,
        may_preempt: true,
        may_be_preempted: true,
        groups: [],
        projects: [],
        description: '',
        needs_reason: false,
        budget: null,
      },
      {
        name: 'high',
        value: 300,
        may_preempt: true,
        may_be_preempted: true,
        groups: ['administrator'],
        projects: [],
        description: '',
        needs_reason: false,
        budget: null,
      },
    ],
  },
  'GET flavors': {
    items: [
      {
        name: 'a100-1',
        resources: { cpus: 8, memory: '64GiB', gpus: 1, gpu: 'A100', shm: '0B', rdma: false },
        classes: ['single'],
        description: '',
      },
    ],
  },
  'GET nodes': { items: [node('a', 8, 'A100'), node('b', 8, 'A100'), node('c', 4, 'H100')] },
  'GET frameworks': { items: frameworks },
  'GET examples': { items: [served] },
  'POST jobs/check': good,
  'POST jobs': detail({ id: 'j9', name: 'bert-large', state: 'queued' }),
  'GET jobs/j9': detail({ id: 'j9', name: 'bert-large', state: 'queued' }),
  'GET jobs/j1': detail({
    spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py', nodes: 2, resources: { gpus: 8, gpu: 'A100' } },
  }),
};

export const user = userEvent.setup();
export const file = () => valueOf(screen.getByRole('textbox', { name: 'Job file' }));
export const marks = () => screen.getByLabelText('marks').textContent;
export const sent = (calls: Call[]) => calls.filter(({ method, path }) => method === 'POST' && path === 'jobs');
export const summary = () => within(screen.getByRole('region', { name: 'Before submitting' }));
export const index = () => within(screen.getByRole('navigation', { name: 'Sections' }));

export async function open(address = '/jobs/new', more: Answers = {}) {
  const page = openConsole(address, { ...answers, ...more });
  await screen.findByRole('textbox', { name: 'Job file' });
  return page;
}

export async function fill(label: string, text: string) {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
  await user.tab();
}

/** Types a whole file into the editor at once. */
export async function write(text: string) {
  const editor = screen.getByRole('textbox', { name: 'Job file' });
  await user.clear(editor);
  await user.click(editor);
  await user.paste(text);
}
