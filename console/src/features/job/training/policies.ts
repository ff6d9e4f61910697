/** What a job's file says about trouble, completed by what holds where it says nothing. */
import type { Remedy } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';

export const TROUBLES = ['task_failed', 'out_of_memory', 'node_lost', 'evicted', 'hung', 'task_completed'] as const;
export type Trouble = (typeof TROUBLES)[number];

export const TROUBLE_WORDS: Record<Trouble, MessageKey> = {
  task_failed: 'trouble.taskFailed',
  out_of_memory: 'trouble.outOfMemory',
  node_lost: 'trouble.nodeLost',
  evicted: 'trouble.evicted',
  hung: 'trouble.hung',
  task_completed: 'trouble.taskCompleted',
};

export const REMEDY_WORDS: Record<Remedy, MessageKey> = {
  fail: 'remedy.fail',
  restart_task: 'remedy.restartTask',
  restart_job: 'remedy.restartJob',
  requeue: 'remedy.requeue',
  complete: 'remedy.complete',
  ignore: 'remedy.ignore',
};

/** What is done where neither the file nor the framework says otherwise. */
const USUAL: Record<Trouble, Remedy> = {
  task_failed: 'fail',
  out_of_memory: 'fail',
  node_lost: 'fail',
  evicted: 'requeue',
  hung: 'fail',
  task_completed: 'ignore',
};

const RESTARTING = new Set<Remedy>(['restart_task', 'restart_job', 'requeue', 'ignore']);
const USUAL_RESTARTS = 3;

type Spec = Record<string, unknown>;

export interface Policy {
  /** Of one role only. */
  role?: string;
  trouble: Trouble;
  remedy: Remedy;
}

/** Of the whole job for every trouble, then what single roles do otherwise. A job that never counts as hung needs none for that. */
export function policiesOf(spec: Spec): Policy[] {
  const on = remedies(spec.on);
  const hangs = spec.hang_after !== undefined && spec.hang_after !== null;
  const ofJob = TROUBLES.filter((trouble) => trouble !== 'hung' || hangs).map((trouble) => ({
    trouble,
    remedy: on[trouble] ?? USUAL[trouble],
  }));
  const ofRoles = rolesOf(spec).flatMap(({ name, on: own }) => {
    const said = remedies(own);
    return TROUBLES.flatMap((trouble) => (said[trouble] ? [{ role: String(name), trouble, remedy: said[trouble] }] : []));
  });
  return [...ofJob, ...ofRoles];
}

/** How often the job may be started again: as the file says, else thrice where it starts anything again. */
export function restartsOf(spec: Spec): number {
  if (typeof spec.restarts === 'number') return spec.restarts;
  const said = [
    Object.entries(remedies(spec.on)).filter(([trouble]) => trouble !== 'evicted'),
    ...rolesOf(spec).map(({ on }) => Object.entries(remedies(on))),
  ].flat();
  return said.some(([, remedy]) => RESTARTING.has(remedy)) ? USUAL_RESTARTS : 0;
}

export interface Processes {
  role?: string;
  count: number;
}

/** How many processes the framework starts in each task, where the file says so. */
export function processesOf(spec: Spec): Processes[] {
  const own = rolesOf(spec).flatMap(({ name, processes }) =>
    typeof processes === 'number' ? [{ role: String(name), count: processes }] : [],
  );
  return typeof spec.processes === 'number' ? [{ count: spec.processes }, ...own] : own;
}

const rolesOf = ({ roles }: Spec): Spec[] => (Array.isArray(roles) ? (roles as Spec[]) : []);

const remedies = (on: unknown): Partial<Record<Trouble, Remedy>> => (typeof on === 'object' && on !== null ? on : {});
