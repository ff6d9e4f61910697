/** Jobs by name, searched by the server while one types. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { jobKeys, listJobs, titleOf } from '@/api/jobs';
import type { JobQuery, JobRow } from '@/api/jobs';
import { useT } from '../i18n';
import type { Group } from './items';

const MOST = 6;

export interface FoundJobs {
  group: Group;
  busy: boolean;
  failed: boolean;
  /** The job behind an item, to show its state. */
  jobOf: (id: string) => JobRow | undefined;
}

/** `settled` is what was typed a moment ago: it is searched. */
export function useFoundJobs(typed: string, settled: string): FoundJobs {
  const t = useT();
  const navigate = useNavigate();
  const search = typed.trim();
  const query: JobQuery = { search: settled, limit: MOST, sort: '-created' };
  const jobs = useQuery({
    queryKey: jobKeys.page(query),
    queryFn: ({ signal }) => listJobs(query, signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const rows = search === '' ? [] : (jobs.data?.items ?? []);
  const items = rows.map((job) => ({
    id: `job ${job.id}`,
    label: titleOf(job),
    hint: job.owner,
    icon: 'jobs' as const,
    run: () => void navigate({ to: '/jobs/$job', params: { job: job.id } }),
  }));
  const more = jobs.data && jobs.data.total > rows.length && rows.length > 0;
  const all = {
    id: 'all jobs',
    label: t('palette.allJobs', { count: jobs.data?.total ?? 0 }),
    icon: 'search' as const,
    run: () => void navigate({ to: '/jobs', search: { search } }),
  };
  return {
    group: { id: 'jobs', title: t('nav.jobs'), items: more ? [...items, all] : items },
    busy: search !== '' && (settled !== search || jobs.isFetching),
    failed: jobs.isError,
    jobOf: (id) => rows.find((job) => id === `job ${job.id}`),
  };
}
