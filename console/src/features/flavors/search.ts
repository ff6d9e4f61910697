/** What the address of the flavors holds. */
import { one } from '@/app/search';

export interface FlavorsSearch {
  search?: string | undefined;
}

export function flavorsSearch(raw: Record<string, unknown>): FlavorsSearch {
  return { search: one(raw.search) };
}
