/** What the address of the queue holds: the tab, the filters, and the job whose answer to "why" is open. */
import { JOB_STATES } from '@/api/jobs';
import type { JobState } from '@/api/jobs';
import { allowed, one } from '@/app/search';

export const CLASSES = ['single', 'distributed'] as const;

export interface QueueSearch {
  class?: (typeof CLASSES)[number] | undefined;
  lane?: string | undefined;
  project?: string | undefined;
  owner?: string | undefined;
  /** Of the list of all jobs. */
  state?: JobState | undefined;
  why?: string | undefined;
}

export function queueSearch(raw: Record<string, unknown>): QueueSearch {
  return {
    class: allowed(raw.class, CLASSES)[0],
    lane: one(raw.lane),
    project: one(raw.project),
    owner: one(raw.owner),
    state: allowed(raw.state, JOB_STATES)[0],
    why: one(raw.why),
  };
}

/** Whether some of those who wait are left out; the tab does not count. */
export function isFiltered({ lane, project, owner }: QueueSearch): boolean {
  return [lane, project, owner].some((value) => value !== undefined);
}
