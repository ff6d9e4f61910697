/** What is left of all limits that hold for a class of jobs. */
import type { QuotaLine } from '@/api/rules/quotas';

/** By resource the least that any of the person's and their groups' limits leaves. */
export function leftOf(lines: readonly QuotaLine[], wanted: string): Map<string, number> {
  const left = new Map<string, number>();
  for (const { class: of, resource, limit, used } of lines) {
    if (limit === null || (of !== 'all' && of !== wanted)) continue;
    left.set(resource, Math.min(left.get(resource) ?? Number.POSITIVE_INFINITY, Math.max(0, limit - used)));
  }
  return left;
}
