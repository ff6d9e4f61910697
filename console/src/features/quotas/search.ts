/** What the address of the quotas holds. */
import { one } from '@/app/search';

export interface QuotasSearch {
  search?: string | undefined;
  /** The name of a quota to raise at once: `user:lin`, whether there is one or not. */
  raise?: string | undefined;
}

export function quotasSearch(raw: Record<string, unknown>): QuotasSearch {
  return { search: one(raw.search), raise: one(raw.raise) };
}
