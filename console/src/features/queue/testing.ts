/** A queue for tests, and what the server answers about it. */
import type { ClassBacklog, Lane, QueueItem } from '@/api/queue';
import type { Answers, Call } from '@/testing/app';
import { heldBy, place, reason, session } from '@/testing/samples';

export const WAITS = { ...reason, code: 'not_enough_gpus', text: { en: 'needs 8 × A100; 4 are free', zh: '需要 8 × A100' } };
export const LANES: Lane[] = [
  { gpu_model: 'A100', class: 'single', waiting: 5, work_seconds: 7200, gpu_hours: 16, without_estimate: 0 },
  { gpu_model: 'H100', class: 'distributed', waiting: 1, work_seconds: 60, gpu_hours: 0.5, without_estimate: 0 },
];
export const CLASSES: ClassBacklog[] = [
  { class: 'single', waiting: 5, work_seconds: 7200, gpu_hours: 16, without_estimate: 0 },
  { class: 'distributed', waiting: 1, work_seconds: 60, gpu_hours: 0.5, without_estimate: 0 },
];
export const QUEUE = [
  place({ position: 1, mine: false }),
  place({ position: 2, name: 'alpha', reason: WAITS }),
  place({ position: 3, mine: false, owner: 'chen' }),
  place({ position: 4, name: 'beta' }),
  place({ position: 5, name: 'gamma' }),
  place({ position: 1, name: 'delta', lane: { gpu_model: 'H100', class: 'distributed' }, job_id: 'j9' }),
];

export const HELD = {
  items: [
    heldBy({ latest_end: new Date(Date.now() + 865_800_000).toISOString() }),
    heldBy({ owner: 'lin', mine: true, name: 'omega', job_id: 'j7', gpus: 4 }),
  ],
  next_cursor: null,
  models: [{ gpu_model: 'A100', total: 16, held: 12, free: 4, jobs: 2 }],
};

/** Everybody's jobs, as the server tells of them: one of another person that ended, and one's own. */
const ENDED = {
  owner: 'wang',
  project: 'public',
  kind: 'workspace',
  class: 'workspace',
  priority: 'normal',
  state: 'completed',
  gpus: 0,
  gpu_model: null,
  cpus: 4,
  memory: 2 ** 30,
  nodes: 1,
  mine: false,
  job_id: null,
  name: null,
  reason: null,
  created_at: '2026-05-01T10:00:00Z',
  queued_at: null,
  started_at: '2026-05-01T10:00:00Z',
  ended_at: '2026-05-01T11:00:00Z',
};
const OWN = { ...ENDED, owner: 'lin', mine: true, job_id: 'c1', name: 'counting#2', state: 'failed' };
/** The first in every state, and the other on the next page. */
export const EVERYBODYS = ({ query }: Call) =>
  query.get('cursor') === null
    ? { items: query.getAll('state').includes('stopped') ? [] : [ENDED], next_cursor: '7.1', total: 2 }
    : { items: [OWN], next_cursor: null, total: 2 };

export function pageOf(items: QueueItem[], next: string | null = null) {
  return { items, next_cursor: next, lanes: LANES, classes: CLASSES, decided_at: new Date().toISOString() };
}

export function answers(items: QueueItem[] | (() => QueueItem[]), more: Answers = {}): Answers {
  const now = () => (typeof items === 'function' ? items() : items);
  return {
    'GET session': session,
    'GET permissions': { items: ['queue:read', 'queue:order', 'job:stop'] },
    'GET projects': { items: [], next_cursor: null },
    'GET queue/holders': HELD,
    'GET queue/jobs': { items: [], next_cursor: null, total: 0 },
    'GET queue': ({ query }: Call) => pageOf(query.get('owner') === 'me' ? now().filter((item) => item.mine) : now()),
    ...more,
  };
}
