/** The way of a job to running, read from its events: queued, placed, each step of its tasks, running. */
import type { JobDetail } from '@/api/jobs';
import type { DanluEvent } from '@/api/types';
import { latestAttempt } from '../event-groups';

export interface StartStep {
  /** "queued", "placed", "running", or what the engine calls a step of a task. */
  name: string;
  state: 'done' | 'current' | 'failed' | 'ahead';
  /** When it was reached. */
  at: string | null;
  /** Of several tasks, how many are at least this far. */
  tasks: number;
}

const ALWAYS = ['prepare'];

export function startSteps(job: Pick<JobDetail, 'state' | 'tasks' | 'spec' | 'reason'>, events: DanluEvent[]): StartStep[] {
  const own = latestAttempt(events);
  const find = (test: (event: DanluEvent) => boolean) => own.find(test)?.time ?? null;
  const taskSteps = stepNames(job, own);
  const ran = job.tasks.filter((task) => task.started_at !== null || task.state === 'running').length;
  const running = find((event) => event.kind === 'state_changed' && event.data.to === 'running');
  const steps: StartStep[] = [
    reached(
      'queued',
      find((event) => event.kind === 'state_changed' && event.data.to === 'queued'),
      0,
    ),
    reached(
      'placed',
      find((event) => event.kind === 'placed'),
      job.tasks.length,
    ),
    ...taskSteps.map((step, index) =>
      reached(
        step,
        find((event) => isStep(event, step)),
        tasksPast(job, own, taskSteps, index, ran),
      ),
    ),
    reached('running', running, ran),
  ];
  return marked(steps, job);
}

const reached = (name: string, at: string | null, tasks: number): StartStep => ({ name, at, tasks, state: 'ahead' });

const isStep = (event: DanluEvent, step: string): boolean => event.kind === 'task_starting' && event.data.step === step;

/** Those that were seen, in order, and those that are sure to come. */
function stepNames(job: Pick<JobDetail, 'spec' | 'tasks'>, events: DanluEvent[]): string[] {
  const seen = events.filter(({ kind }) => kind === 'task_starting').map(({ data }) => String(data.step));
  const now = job.tasks.map(({ step }) => step).filter((step) => step !== null);
  const expected = job.spec.code ? [...ALWAYS, 'code'] : ALWAYS;
  return [...new Set([...seen, ...now, ...expected])];
}

function tasksPast(job: Pick<JobDetail, 'tasks'>, events: DanluEvent[], steps: string[], index: number, ran: number): number {
  const further = new Set(steps.slice(index));
  const names = events
    .filter((event) => event.kind === 'task_starting' && further.has(String(event.data.step)))
    .map(({ data }) => String(data.task));
  for (const task of job.tasks) if (task.step !== null && further.has(task.step)) names.push(task.name);
  return Math.max(ran, new Set(names).size);
}

/** All before the last that was reached are done; that one is where the job is now, or where it failed. A command that
    is not found failed after all preparation. */
function marked(steps: StartStep[], job: Pick<JobDetail, 'state' | 'reason'>): StartStep[] {
  const last = steps.length - 1;
  if (job.state === 'failed' && job.reason?.code === 'command_not_found')
    return steps.map((step, index) => ({ ...step, state: index < last ? 'done' : 'failed' }));
  const here = Math.max(
    0,
    steps.findLastIndex((step) => step.at !== null),
  );
  return steps.map((step, index) => {
    if (index < here || here === last) return { ...step, state: 'done' };
    if (index > here) return step;
    return { ...step, state: job.state === 'failed' ? 'failed' : 'current' };
  });
}
