/** What the address of the transfers holds. */
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export interface TransfersSearch {
  tab?: 'schedules' | undefined;
  /** The form is open, for this place in a volume. */
  into?: string | undefined;
}

export const transfersSearch = (raw: Raw): TransfersSearch => ({ tab: allowed(raw.tab, ['schedules'] as const)[0], into: one(raw.into) });
