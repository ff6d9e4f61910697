/** What the address of the submit page holds. */
import { one } from '@/app/search';
import { allowedChanges } from '@/parts/jobs/changes';

export interface SubmitSearch {
  /** The job whose file is the beginning. */
  from?: string | undefined;
  /** The example that is the beginning. */
  example?: string | undefined;
  /** The template that is. */
  template?: string | undefined;
  /** What is changed in the file it begins with, such as `resources.memory:64GiB`. */
  set?: string[] | undefined;
}

export function submitSearch(raw: Record<string, unknown>): SubmitSearch {
  return { from: one(raw.from), example: one(raw.example), template: one(raw.template), set: allowedChanges(raw.set) };
}
