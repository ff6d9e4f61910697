/** States and orders in words. */
import type { JobSort, JobState } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';

export const STATE_WORDS: Record<JobState, MessageKey> = {
  created: 'state.created',
  queued: 'state.queued',
  starting: 'state.starting',
  running: 'state.running',
  stopping: 'state.stopping',
  completed: 'state.completed',
  failed: 'state.failed',
  stopped: 'state.stopped',
};

export const SORT_WORDS: Record<JobSort, MessageKey> = {
  '-created': 'sort.newest',
  created: 'sort.oldest',
  '-ended': 'sort.ended',
  state: 'sort.state',
  name: 'sort.name',
  '-name': 'sort.nameBack',
};
