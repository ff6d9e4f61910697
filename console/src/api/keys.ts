/** Query keys: the first word is what live topics invalidate. */
import type { JobQuery } from './jobs';

export const keys = {
  session: ['session'] as const,
  jobs: ['jobs'] as const,
  jobPage: (query: JobQuery) => ['jobs', query] as const,
  job: (id: string) => ['job', id] as const,
  jobDetail: (id: string) => ['job', id, 'detail'] as const,
  jobEvents: (id: string) => ['job', id, 'events'] as const,
  logSearch: (id: string, task: string | undefined, attempt: number | undefined, search: string) =>
    ['log-search', id, task, attempt, search] as const,
  nodes: ['nodes'] as const,
  tokens: ['tokens'] as const,
  schema: ['schema'] as const,
  version: ['version'] as const,
};
