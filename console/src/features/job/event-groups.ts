/** A job's events by attempt, and what each is about. */
import type { DanluEvent } from '@/api/types';
import type { IconName } from '@/ui/icons';
import type { Tone } from '@/ui/words/Status';
import type { EventSubject } from './search';

export interface EventGroup {
  /** Null where no attempt was made: before the first, or after the last. */
  attempt: number | null;
  events: DanluEvent[];
}

const OVER = new Set(['completed', 'failed', 'stopped', 'queued']);

/** An attempt's part begins when the one before is over, so that its waiting belongs to it. */
export function byAttempt(events: DanluEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  let open: EventGroup | null = null;
  for (const event of events) {
    if (open === null) {
      open = { attempt: null, events: [] };
      groups.push(open);
    }
    open.events.push(event);
    if (event.kind === 'placed' && open.attempt === null) open.attempt = Number(event.data.attempt);
    const over = event.kind === 'state_changed' && OVER.has(String(event.data.to)) && open.attempt !== null;
    if (over) open = null;
  }
  return groups;
}

/** The events of what runs or waits now. */
export function latestAttempt(events: DanluEvent[]): DanluEvent[] {
  const groups = byAttempt(events);
  const last = groups.at(-1);
  if (!last) return [];
  // Queued again, its waiting begins with the words that ended the attempt before.
  const before = groups.at(-2)?.events.at(-1);
  return before?.data.to === 'queued' ? [before, ...last.events] : last.events;
}

interface Look {
  icon: IconName;
  tone: Tone;
  subject: EventSubject;
}

const LOOKS: Record<string, Look> = {
  job_created: { icon: 'plus', tone: 'grey', subject: 'people' },
  job_cloned: { icon: 'copy', tone: 'grey', subject: 'people' },
  job_edited: { icon: 'edit', tone: 'grey', subject: 'people' },
  job_deleted: { icon: 'trash', tone: 'red', subject: 'people' },
  start_requested: { icon: 'play', tone: 'blue', subject: 'people' },
  stop_requested: { icon: 'stop', tone: 'amber', subject: 'people' },
  restart_requested: { icon: 'restart', tone: 'amber', subject: 'people' },
  reset_requested: { icon: 'reset', tone: 'amber', subject: 'people' },
  pinned: { icon: 'pin', tone: 'violet', subject: 'queue' },
  unpinned: { icon: 'unpin', tone: 'grey', subject: 'queue' },
  reordered: { icon: 'queue', tone: 'grey', subject: 'queue' },
  nominated: { icon: 'queue', tone: 'violet', subject: 'queue' },
  inputs_fetched: { icon: 'done', tone: 'green', subject: 'queue' },
  input_lost: { icon: 'failed', tone: 'red', subject: 'queue' },
  placed: { icon: 'nodes', tone: 'violet', subject: 'queue' },
  evicted: { icon: 'preempted', tone: 'amber', subject: 'queue' },
  grown: { icon: 'plus', tone: 'green', subject: 'queue' },
  task_starting: { icon: 'starting', tone: 'violet', subject: 'tasks' },
  task_delayed: { icon: 'clock', tone: 'amber', subject: 'tasks' },
  task_running: { icon: 'running', tone: 'blue', subject: 'tasks' },
  task_ended: { icon: 'done', tone: 'green', subject: 'tasks' },
  checkpoint_saved: { icon: 'pools', tone: 'green', subject: 'tasks' },
  restart_due: { icon: 'restart', tone: 'amber', subject: 'tasks' },
  trouble_met: { icon: 'warning', tone: 'amber', subject: 'states' },
  failure_read: { icon: 'failed', tone: 'red', subject: 'states' },
  mount_changed: { icon: 'warning', tone: 'amber', subject: 'states' },
  output_made: { icon: 'done', tone: 'green', subject: 'states' },
  output_failed: { icon: 'failed', tone: 'red', subject: 'states' },
  volume_overrun: { icon: 'warning', tone: 'red', subject: 'states' },
  job_hung: { icon: 'warning', tone: 'red', subject: 'states' },
  expected_time_passed: { icon: 'bell', tone: 'amber', subject: 'states' },
  max_time_passed: { icon: 'bell', tone: 'red', subject: 'states' },
  stop_overdue: { icon: 'warning', tone: 'amber', subject: 'states' },
};

const STATES: Record<string, Look> = {
  queued: { icon: 'queued', tone: 'grey', subject: 'states' },
  starting: { icon: 'starting', tone: 'violet', subject: 'states' },
  running: { icon: 'running', tone: 'blue', subject: 'states' },
  stopping: { icon: 'stopping', tone: 'amber', subject: 'states' },
  completed: { icon: 'done', tone: 'green', subject: 'states' },
  failed: { icon: 'failed', tone: 'red', subject: 'states' },
  stopped: { icon: 'stopped', tone: 'grey', subject: 'states' },
};

const OTHER: Look = { icon: 'info', tone: 'grey', subject: 'states' };

export function eventLook({ kind, data }: Pick<DanluEvent, 'kind' | 'data'>): Look {
  if (kind === 'state_changed') return STATES[String(data.to)] ?? OTHER;
  const look = LOOKS[kind] ?? OTHER;
  return kind === 'task_ended' && data.reason ? { ...look, icon: 'failed', tone: 'red' } : look;
}
