/** Believable answers of the server, to be varied. */
import type { JobDetail, JobRow, Reason, Session, Task } from '@/api/types';

export const session: Session = {
  user: {
    name: 'lin',
    display_name: 'Lin Yue',
    role: 'engineer',
    disabled: false,
    groups: [],
    created_at: '2026-01-01T00:00:00Z',
  },
  csrf: 'token-of-the-session',
  must_set_password: false,
};

export const reason: Reason = {
  code: 'exit_code',
  params: { code: 1 },
  text: { en: 'worker-0 ended with exit code 1', zh: 'worker-0 以退出码 1 结束' },
  meaning: { en: 'The program reported an error.', zh: '程序报告了错误。' },
  advice: { en: 'Read the end of its log.', zh: '请查看日志末尾。' },
};

export function row(part: Partial<JobRow> = {}): JobRow {
  return {
    id: 'j1', name: 'bert-pretrain', kind: 'training', class: 'distributed', owner: 'lin', project: 'nlp', state: 'running', reason: null,
    image: 'host', gpus: 16, gpu_model: 'A100', cpus: 32, memory: 2 ** 38, nodes: 2, priority: 'normal', created_at: '2026-05-01T10:00:00Z',
    queued_at: '2026-05-01T10:00:01Z', started_at: '2026-05-01T10:01:00Z', ended_at: null, version: 1, attempt: 1, ...part,
  };
}

export function task(part: Partial<Task> = {}): Task {
  return {
    name: 'worker-0', role: 'worker', index: 0, state: 'running', node: 'a100-1', address: '127.0.1.1', gpus: [0, 1, 2, 3, 4, 5, 6, 7], reason: null,
    exit_code: null, started_at: '2026-05-01T10:01:00Z', ended_at: null, isolation: 'bubblewrap', step: null, ...part,
  };
}

export function detail(part: Partial<JobDetail> = {}): JobDetail {
  return {
    ...row(), description: '', spec: { kind: 'training', name: 'bert-pretrain', command: 'python train.py' },
    tasks: [task(), task({ name: 'worker-1', index: 1, node: 'a100-2' })], restarts: 0, waiting: null,
    attempts: [{ number: 1, state: 'running', reason: null, started_at: '2026-05-01T10:01:00Z', ended_at: null }],
    actions: ['stop', 'restart', 'clone'], pinned_at: null, nominated: [], ...part,
  };
}
