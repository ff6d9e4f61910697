/** What the address of the quotas holds. */
import { one } from '@/app/search';

export interface QuotasSearch {
  search?: string | undefined;
}

export function quotasSearch(raw: Record<string, unknown>): QuotasSearch {
  return { search: one(raw.search) };
}
