/** The filters of the address as the server understands them. */
import type { AuditFilter } from '@/api/audit';
import { fromWall } from '@/parts/wall-clock';
import type { AuditSearch } from './search';

const DAY = 86_400_000;

/** Days are those of the person's time zone; the last one is included. */
export function filterOf({ by, act, subject, search, span, from, to }: AuditSearch): AuditFilter {
  const since = from ? fromWall(`${from}T00:00`) : span && `-${span}`;
  const until = to && new Date(Date.parse(fromWall(`${to}T00:00`)) + DAY).toISOString();
  return { by, act, subject, search, since, until };
}
