/** What a refused start says of quotas. */
import { ApiError } from '@/api/problem';
import type { Shortfall } from '@/api/types';

/** Which quotas it would have exceeded; undefined where it failed for another reason. */
export function shortfallsOf(error: unknown): Shortfall[] | undefined {
  return error instanceof ApiError && error.problem.shortfalls?.length ? error.problem.shortfalls : undefined;
}
