/** Sums and shares behind the bars. */
import type { JobDetail } from '@/api/jobs';
import type { Amount } from '@/api/resources';
import { parseTime } from '@/parts/quantities';

type Held = Pick<Amount, 'total' | 'used' | 'others'>;

/** How a bar divides into mine and what others hold, by Danlu or without it; the rest is free. */
export function partsOf({ total, used, others, mine_used: mine }: Held & Pick<Amount, 'mine_used'>): {
  mineShare: number;
  othersShare: number;
} {
  if (total <= 0) return { mineShare: 0, othersShare: 0 };
  const mineShare = Math.min(1, mine / total);
  return { mineShare, othersShare: Math.min(1 - mineShare, Math.max(0, used + others - mine) / total) };
}

/** What there is of all, and what anybody holds of it. */
export function sumOf(amounts: Held[]): { total: number; used: number } {
  return amounts.reduce((sum, { total, used, others }) => ({ total: sum.total + total, used: sum.used + used + others }), {
    total: 0,
    used: 0,
  });
}

/** How far a job is on the way to a moment that its file sets: the end it must not pass, or the one it expects. */
export interface Progress {
  share: number;
  limit: number;
  /** Past this one the job is ended. */
  hard: boolean;
}

export function progressOf({ spec, started_at: began }: Pick<JobDetail, 'spec' | 'started_at'>, now: number): Progress | null {
  const most = parseTime(spec.max_time);
  const limit = most ?? parseTime(spec.expected_time);
  if (limit === null || limit <= 0 || began === null) return null;
  return { share: Math.min(1, Math.max(0, (now - Date.parse(began)) / limit)), limit, hard: most !== null };
}
