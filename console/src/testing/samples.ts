/** Believable answers of the server, to be varied. */
import type { Attempt, JobDetail, JobRow, Task } from '@/api/jobs';
import type { Preferences } from '@/api/me';
import type { Node, NodeTask } from '@/api/nodes';
import type { Holder, QueueItem } from '@/api/queue';
import type { Resources } from '@/api/resources';
import type { Session } from '@/api/session';
import type { Reason } from '@/api/types';

export const session: Session = {
  user: {
    name: 'lin',
    display_name: 'Lin Yue',
    email: 'lin@example.org',
    role: 'engineer',
    disabled: false,
    groups: [],
    created_at: '2026-01-01T00:00:00Z',
    sign_in: 'password',
  },
  csrf: 'token-of-the-session',
  must_set_password: false,
};

export const preferences: Preferences = { language: null, theme: null, time_zone: null, views: [], dismissed: [], news_seen: null };

export const reason: Reason = {
  code: 'exit_code',
  params: { code: 1 },
  text: { en: 'worker-0 ended with exit code 1', zh: 'worker-0 以退出码 1 结束' },
  meaning: { en: 'The program reported an error.', zh: '程序报告了错误。' },
  advice: { en: 'Read the end of its log.', zh: '请查看日志末尾。' },
};

export function row(part: Partial<JobRow> = {}): JobRow {
  return {
    id: 'j1',
    name: 'bert-pretrain',
    run: 1,
    numbered: false,
    kind: 'training',
    class: 'distributed',
    owner: 'lin',
    project: 'nlp',
    state: 'running',
    reason: null,
    image: 'host',
    gpus: 16,
    gpu_model: 'A100',
    cpus: 32,
    memory: 2 ** 38,
    nodes: 2,
    priority: 'normal',
    created_at: '2026-05-01T10:00:00Z',
    queued_at: '2026-05-01T10:00:01Z',
    started_at: '2026-05-01T10:01:00Z',
    ended_at: null,
    version: 1,
    attempt: 1,
    placed: ['a100-1', 'a100-2'],
    expected_time: null,
    max_time: null,
    latest: null,
    ...part,
  };
}

export function task(part: Partial<Task> = {}): Task {
  return {
    name: 'worker-0',
    role: 'worker',
    index: 0,
    state: 'running',
    node: 'a100-1',
    address: '127.0.1.1',
    gpus: [0, 1, 2, 3, 4, 5, 6, 7],
    reason: null,
    exit_code: null,
    started_at: '2026-05-01T10:01:00Z',
    ended_at: null,
    isolation: 'bubblewrap',
    step: null,
    run: part.name ?? 'worker-0',
    tries: 0,
    not_before: null,
    ...part,
  };
}

export function detail(part: Partial<JobDetail> = {}): JobDetail {
  return {
    ...row(),
    description: '',
    spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py' },
    tasks: [task(), task({ name: 'worker-1', index: 1, node: 'a100-2' })],
    restarts: 0,
    waiting: null,
    attempts: [attempt()],
    actions: ['stop', 'restart', 'clone'],
    pinned_at: null,
    nominated: [],
    cloned_from: null,
    framework: 'none',
    strategy: '',
    saved: null,
    lost: 0,
    inputs: [],
    ...part,
  };
}

export function attempt(part: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    state: 'running',
    reason: null,
    started_at: '2026-05-01T10:01:00Z',
    ended_at: null,
    story: null,
    resumed: null,
    saved: null,
    lost: 0,
    // oxlint-disable-next-line unicorn/no-thenable -- what was done then, never called
    then: null,
    ...part,
  };
}

/** A place in the queue; of a job one may read unless `job_id` is null. */
export function place(part: Partial<QueueItem> = {}): QueueItem {
  const { position = 1, lane = { gpu_model: 'A100', class: 'single' }, mine = true } = part;
  return {
    lane,
    position,
    mine,
    owner: mine ? 'lin' : 'wang',
    project: 'nlp',
    kind: 'training',
    class: lane.class,
    priority: 'normal',
    gpus: 8,
    gpu_model: lane.gpu_model,
    cpus: 16,
    memory: 2 ** 36,
    nodes: 1,
    created_at: '2026-05-01T10:00:00Z',
    queued_at: '2026-05-01T10:00:01Z',
    pinned_at: null,
    job_id: mine ? `j${position}` : null,
    name: mine ? `job-${position}` : null,
    reason: null,
    ...part,
  };
}

/** What it has free is what the server would say, unless told. */
export function node(part: Partial<Node> = {}): Node {
  const made = bareNode(part);
  const open = made.state === 'ready' || made.state === 'occupied';
  const free = (total: number, what: keyof Node['used']) => (open ? Math.max(0, total - made.used[what] - made.foreign[what]) : 0);
  return {
    ...made,
    free: { cpus: free(made.cpus, 'cpus'), memory: free(made.memory, 'memory'), gpus: free(made.gpus.length, 'gpus') },
    ...part,
  };
}

function bareNode(part: Partial<Node>): Omit<Node, 'free'> {
  return {
    name: 'a100-1',
    state: 'ready',
    virtual: true,
    address: '127.0.1.1',
    cpus: 64,
    memory: 2 ** 39,
    gpu_model: 'A100',
    gpus: cards(2),
    labels: { zone: 'east' },
    given_labels: {},
    used: { cpus: 16, memory: 2 ** 37, gpus: 1 },
    tasks: [nodeTask()],
    pool: 'default',
    cluster: '',
    foreign: { cpus: 0, memory: 0, gpus: 0 },
    network: null,
    why: '',
    note: '',
    drain_by: null,
    closes_at: null,
    maintenance: null,
    isolation: null,
    ...part,
  };
}

export function cards(count: number): Node['gpus'] {
  return Array.from({ length: count }, (_, index) => ({ index, uuid: null, declared: true }));
}

export function nodeTask(part: Partial<NodeTask> = {}): NodeTask {
  return { job_id: 'j1', job_name: 'bert', owner: 'lin', task: 'worker-0', gpus: [1], started_at: '2026-05-01T10:00:00Z', ...part };
}

export function resources(part: Partial<Resources> = {}): Resources {
  const none = { others: 0, closed: 0, queued: 0, mine_used: 0, mine_queued: 0, shortage: 0, mine_shortage: 0 };
  return {
    at: '2026-05-01T10:00:00Z',
    gpus: [
      {
        model: 'A100',
        nodes: 4,
        total: 32,
        used: 20,
        others: 0,
        free: 12,
        closed: 0,
        queued: 24,
        mine_used: 4,
        mine_queued: 8,
        shortage: 12,
        mine_shortage: 0,
        largest_free: 8,
      },
    ],
    cpus: { ...none, total: 256, used: 64, free: 192 },
    memory: { ...none, total: 2 ** 41, used: 2 ** 40, free: 2 ** 40 },
    jobs: { running: 7, queued: 3 },
    mine: { running: 1, queued: 1 },
    nodes: { ready: 3, cordoned: 1 },
    classes: [],
    ...part,
  };
}

/** A job of somebody else that holds a node's GPUs. */
export function heldBy(more: Partial<Holder> = {}): Holder {
  return {
    gpu_model: 'A100',
    gpus: 8,
    nodes: 1,
    owner: 'wang',
    kind: 'training',
    class: 'single',
    state: 'running',
    began_at: '2026-05-01T09:00:00Z',
    expected_end: null,
    latest_end: null,
    mine: false,
    job_id: null,
    name: null,
    ...more,
  };
}
