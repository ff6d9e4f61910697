/** How far a job is on its way: in time against what was expected and allowed, in steps where the training tells them. */
import type { JobDetail } from '@/api/jobs';
import { parseTime } from '@/parts/quantities';

export interface TimeProgress {
  /** All in milliseconds. */
  ran: number;
  expected: number | null;
  most: number | null;
  /** Of the whole bar, from 0 to 1. */
  part: number;
  /** Where on the bar it was expected to end. */
  expectedAt: number | null;
  late: boolean;
}

/** Null where nothing was expected, or nothing has run. */
export function timeProgress(job: Pick<JobDetail, 'spec' | 'started_at' | 'ended_at'>, now: number): TimeProgress | null {
  const expected = parseTime(job.spec.expected_time);
  const most = parseTime(job.spec.max_time);
  if (!job.started_at || (expected === null && most === null)) return null;
  const ran = Math.max(0, (job.ended_at ? Date.parse(job.ended_at) : now) - Date.parse(job.started_at));
  const whole = most ?? Math.max(expected!, ran);
  return {
    ran,
    expected,
    most,
    part: Math.min(1, ran / whole),
    expectedAt: expected === null ? null : Math.min(1, expected / whole),
    late: expected !== null && ran > expected,
  };
}

export interface StepProgress {
  step: number;
  of: number;
  /** Milliseconds that the rest takes at the present pace. */
  left: number | null;
}

/** Null where the training does not tell how many steps it takes. */
export function stepProgress(step: number | null, total: number | null, perSecond: number | null): StepProgress | null {
  if (step === null || total === null || total <= 0) return null;
  const rest = Math.max(0, total - step);
  return { step: Math.min(step, total), of: total, left: perSecond !== null && perSecond > 0 ? (rest / perSecond) * 1000 : null };
}
