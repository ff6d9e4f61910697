/** What can be done with a job: names, icons, words, and what each asks of the server. */
import { deleteJob, resetJob, restartJob, startJob, stopJob } from '@/api/jobs';
import type { JobState } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';
import type { IconName } from '@/ui/icons';

export const ACTIONS = ['start', 'stop', 'restart', 'clone', 'edit', 'reset', 'delete'] as const;
export type JobAction = (typeof ACTIONS)[number];
/** Those that one call does; clone and edit ask for more first. */
export type DirectAction = Exclude<JobAction, 'clone' | 'edit'>;

interface ActionLook {
  icon: IconName;
  label: MessageKey;
}

export const LOOKS: Record<JobAction, ActionLook> = {
  start: { icon: 'play', label: 'job.start' },
  stop: { icon: 'stop', label: 'job.stop' },
  restart: { icon: 'restart', label: 'job.restart' },
  clone: { icon: 'copy', label: 'job.clone' },
  edit: { icon: 'edit', label: 'job.edit' },
  reset: { icon: 'reset', label: 'job.reset' },
  delete: { icon: 'trash', label: 'job.delete' },
};

interface Question {
  title: MessageKey;
  text: MessageKey;
}

/** Actions that lose something are confirmed first. */
export const QUESTIONS: Partial<Record<DirectAction, Question>> = {
  stop: { title: 'confirm.stop', text: 'confirm.stopText' },
  restart: { title: 'confirm.restart', text: 'confirm.restartText' },
  reset: { title: 'confirm.reset', text: 'confirm.resetText' },
  delete: { title: 'confirm.delete', text: 'confirm.deleteText' },
};

/** The same of a start that leaves its checkpoint aside. */
export const FRESH_QUESTION: Question = { title: 'confirm.fresh', text: 'confirm.freshText' };

export const DONE: Record<DirectAction, MessageKey> = {
  start: 'done.start',
  stop: 'done.stop',
  restart: 'done.restart',
  reset: 'done.reset',
  delete: 'done.delete',
};

/** `fresh` is for those that start it: from the beginning. */
export const CALLS: Record<DirectAction, (job: string, fresh?: boolean) => Promise<unknown>> = {
  start: startJob,
  stop: stopJob,
  restart: restartJob,
  reset: resetJob,
  delete: deleteJob,
};

/** Those of the server's list that the console knows and that make sense to offer, in our order. */
export function offered(actions: readonly string[], state: JobState): JobAction[] {
  return ACTIONS.filter((action) => {
    if (!actions.includes(action)) return false;
    // What does not run is started; a reset is for what is stuck on its way or has failed.
    if (action === 'restart') return isActive(state) && state !== 'queued';
    if (action === 'reset') return state === 'starting' || state === 'stopping' || state === 'failed';
    return true;
  });
}

const BY_STATE: Record<JobState, JobAction[]> = {
  created: ['start', 'clone', 'edit', 'delete'],
  queued: ['stop', 'clone'],
  starting: ['stop', 'clone'],
  running: ['stop', 'restart', 'clone'],
  stopping: ['clone'],
  completed: ['start', 'clone', 'edit', 'delete'],
  failed: ['start', 'clone', 'edit', 'delete'],
  stopped: ['start', 'clone', 'edit', 'delete'],
};

/** A first guess while the server's own list is on its way. */
export function likely(state: JobState): JobAction[] {
  return BY_STATE[state];
}

export function isActive(state: JobState): boolean {
  return state === 'queued' || state === 'starting' || state === 'running' || state === 'stopping';
}
