/** News of one's own jobs: those that ended, the latest first; for the bell and the overview. */
import { queryOptions } from '@tanstack/react-query';
import { jobKeys, listJobs } from '@/api/jobs';
import type { JobPage, JobQuery, JobRow } from '@/api/jobs';
import { pollWithoutLive } from '@/app/queries';

const LATEST: JobQuery = { owner: 'me', sort: '-ended', limit: 20 };

/** Kept fresh by the live topic `jobs`. */
export const newsQuery = queryOptions({
  queryKey: jobKeys.page(LATEST),
  queryFn: ({ signal }) => listJobs(LATEST, signal),
  refetchInterval: pollWithoutLive,
  select: (page: JobPage) => page.items.filter(isNews),
});

/** What one stopped oneself is no news. */
export function isNews(job: JobRow): boolean {
  const { reason, owner, ended_at: endedAt } = job;
  return endedAt !== null && !(reason?.code === 'stopped_by' && reason.params.user === owner);
}

/** Those that ended after a moment; null is before all times. */
export function newerThan(news: readonly JobRow[], moment: string | null): JobRow[] {
  const since = moment === null ? Number.NEGATIVE_INFINITY : Date.parse(moment);
  return news.filter((job) => Date.parse(job.ended_at!) > since);
}

/** When the latest of them ended. */
export function latestEnd(news: readonly JobRow[]): string | null {
  return news[0]?.ended_at ?? null;
}
