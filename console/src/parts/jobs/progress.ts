/** How far a running job is: in steps where its training tells how many, else in the time it was expected to take, or may take. */
import type { JobRow } from '@/api/jobs';

export interface RowProgress {
  /** From 0 to 1. */
  share: number;
  by: 'steps' | 'expected' | 'most';
  /** What is done and the whole: steps, or seconds. */
  done: number;
  of: number;
}

type Going = Pick<JobRow, 'state' | 'started_at' | 'expected_time' | 'max_time' | 'latest'>;

/** Null for a job that does not run, or tells nothing of the kind. */
export function rowProgress({ state, started_at: began, expected_time: expected, max_time: most, latest }: Going, now: number) {
  if (state !== 'running' && state !== 'stopping') return null;
  if (latest?.total_steps) return part('steps', latest.step, latest.total_steps);
  const whole = expected ?? most;
  if (!whole || began === null) return null;
  return part(expected === null ? 'most' : 'expected', Math.max(0, (now - Date.parse(began)) / 1000), whole);
}

function part(by: RowProgress['by'], done: number, of: number): RowProgress {
  return { share: Math.min(1, Math.max(0, done / of)), by, done, of };
}
