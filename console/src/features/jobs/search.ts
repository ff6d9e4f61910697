/** What the address of the job list holds: filters, order, and the name of an open view. */
import { JOB_KINDS, JOB_SORTS, JOB_STATES } from '@/api/jobs';
import type { JobKind, JobQuery, JobSort, JobState } from '@/api/jobs';
import { allowed, one } from '@/app/search';

export interface JobsSearch {
  search?: string | undefined;
  state?: JobState[] | undefined;
  kind?: JobKind | undefined;
  owner?: string | undefined;
  project?: string | undefined;
  sort?: JobSort | undefined;
  view?: string | undefined;
}

export const DEFAULT_SORT: JobSort = '-created';

/** Nothing filtered; the order stays. */
export const NO_FILTERS = {
  search: undefined,
  state: undefined,
  kind: undefined,
  owner: undefined,
  project: undefined,
} as const satisfies JobsSearch;

export function jobsSearch(raw: Record<string, unknown>): JobsSearch {
  const states = allowed(raw.state, JOB_STATES);
  return {
    search: one(raw.search),
    state: states.length > 0 ? states : undefined,
    kind: allowed(raw.kind, JOB_KINDS)[0],
    owner: one(raw.owner),
    project: one(raw.project),
    sort: allowed(raw.sort, JOB_SORTS)[0],
    view: one(raw.view),
  };
}

export type ListQuery = Omit<JobQuery, 'limit' | 'cursor'>;

/** What the server is asked for; two addresses that ask the same give the same. */
export function toQuery({ search, state, kind, owner, project, sort }: JobsSearch): ListQuery {
  const asked = { search, state, kind, owner, project, sort: sort ?? DEFAULT_SORT };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as ListQuery;
}

export function isFiltered({ search, state, kind, owner, project }: JobsSearch): boolean {
  return [search, state, kind, owner, project].some((value) => value !== undefined);
}
