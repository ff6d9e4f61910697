/** What the address of the list of projects holds. */
import { one } from '@/app/search';

export interface ProjectsSearch {
  search?: string | undefined;
  /** Only those that one belongs to. */
  mine?: 'yes' | undefined;
}

export function projectsSearch(raw: Record<string, unknown>): ProjectsSearch {
  return { search: one(raw.search), mine: one(raw.mine) === 'yes' ? 'yes' : undefined };
}
