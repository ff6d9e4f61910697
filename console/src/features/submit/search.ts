/** What the address of the submit page holds. */
import { one } from '@/app/search';

export interface SubmitSearch {
  /** The job whose file is the beginning. */
  from?: string | undefined;
  /** The example that is the beginning. */
  example?: string | undefined;
}

export function submitSearch(raw: Record<string, unknown>): SubmitSearch {
  return { from: one(raw.from), example: one(raw.example) };
}
