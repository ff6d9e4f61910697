/** What the address of the requests holds: which of them. */
import { allowed } from '@/app/search';

export const REQUEST_TABS = ['open', 'decided', 'mine'] as const;
export type RequestTab = (typeof REQUEST_TABS)[number];

export interface RequestsSearch {
  tab?: RequestTab | undefined;
}

export function requestsSearch(raw: Record<string, unknown>): RequestsSearch {
  return { tab: allowed(raw.tab, REQUEST_TABS)[0] };
}
