/** What the address of the audit log holds: its filters. */
import { allowed, one } from '@/app/search';

export const SPANS = ['1d', '7d', '30d', '365d'] as const;
export type Span = (typeof SPANS)[number];

export interface AuditSearch {
  by?: string | undefined;
  act?: string | undefined;
  subject?: string | undefined;
  search?: string | undefined;
  /** How far back; all of it without. */
  span?: Span | undefined;
  /** A day each, from and to. */
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const day = (value: unknown): string | undefined => (DAY.test(one(value) ?? '') ? one(value) : undefined);

export function auditSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    by: one(raw.by),
    act: one(raw.act),
    subject: one(raw.subject),
    search: one(raw.search),
    span: allowed(raw.span, SPANS)[0],
    from: day(raw.from),
    to: day(raw.to),
  };
}

export function isFiltered(search: AuditSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
