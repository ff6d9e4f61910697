/** What the addresses of the job pages hold: filters, page, tab. */
import { JOB_SORTS } from '@/api/jobs';
import type { JobQuery, JobSort } from '@/api/jobs';
import { JOB_KINDS, JOB_STATES } from '@/api/types';
import type { JobKind, JobState } from '@/api/types';
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const PAGE_SIZES = [50, 100, 200] as const;

export interface JobsSearch {
  search?: string | undefined;
  state?: JobState[] | undefined;
  kind?: JobKind | undefined;
  owner?: string | undefined;
  project?: string | undefined;
  sort?: JobSort | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export function jobsSearch(raw: Raw): JobsSearch {
  const states = allowed(raw.state, JOB_STATES);
  const limit = Number(one(raw.limit));
  return {
    search: one(raw.search),
    state: states.length > 0 ? states : undefined,
    kind: allowed(raw.kind, JOB_KINDS)[0],
    owner: one(raw.owner),
    project: one(raw.project),
    sort: allowed(raw.sort, JOB_SORTS)[0],
    limit: PAGE_SIZES.find((size) => size === limit),
    cursor: one(raw.cursor),
  };
}

export function toQuery(search: JobsSearch): JobQuery {
  return { ...search, limit: search.limit ?? PAGE_SIZES[0], sort: search.sort ?? '-created' };
}

export function isFiltered({ search, state, kind, owner, project }: JobsSearch): boolean {
  return [search, state, kind, owner, project].some((value) => value !== undefined);
}

export const JOB_TABS = ['logs', 'tasks', 'events', 'spec'] as const;
export type JobTab = (typeof JOB_TABS)[number];

export interface JobSearch {
  tab?: JobTab | undefined;
  task?: string | undefined;
  attempt?: number | undefined;
}

export function jobSearch(raw: Raw): JobSearch {
  const attempt = Number(one(raw.attempt));
  return {
    tab: allowed(raw.tab, JOB_TABS)[0],
    task: one(raw.task),
    attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : undefined,
  };
}

/** `from`: the job whose file the editor begins with. */
export function submitSearch(raw: Raw): { from?: string | undefined } {
  return { from: one(raw.from) };
}
