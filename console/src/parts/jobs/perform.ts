/** Does an action on a job. What is safe to foresee is on the screen at once; the server's answer, or its refusal, corrects it. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { jobKeys } from '@/api/jobs';
import type { JobDetail, JobRow, JobState } from '@/api/jobs';
import { CALLS } from './actions';
import type { DirectAction } from './actions';

const FORESEEN: Partial<Record<DirectAction, JobState>> = { start: 'queued', stop: 'stopping' };

type Lists = InfiniteData<{ items: JobRow[] }>;

export async function perform(client: QueryClient, action: DirectAction, { id }: { id: string }, fresh = false): Promise<void> {
  const foreseen = FORESEEN[action];
  const takeBack = foreseen && foresee(client, id, foreseen);
  try {
    const answer = await CALLS[action](id, fresh);
    if (isDetail(answer)) adopt(client, answer);
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

/** Gives what takes it back. */
function foresee(client: QueryClient, id: string, state: JobState): () => void {
  // An answer that was under way before would show the old state again.
  void client.cancelQueries({ queryKey: jobKeys.all });
  void client.cancelQueries({ queryKey: jobKeys.detail(id), exact: true });
  let before: Pick<JobRow, 'state' | 'reason'> | undefined;
  change(client, id, (job) => {
    before ??= { state: job.state, reason: job.reason };
    return { ...job, state, reason: null };
  });
  return () => change(client, id, (job) => (job.state === state && before ? { ...job, ...before } : job));
}

function adopt(client: QueryClient, answer: JobDetail): void {
  change(client, answer.id, (job) => {
    const names = Object.keys(job) as (keyof typeof job)[];
    return Object.fromEntries(names.map((name) => [name, name in answer ? answer[name as keyof JobDetail] : job[name]])) as typeof job;
  });
}

/** In every list that shows it, and on its page. */
function change(client: QueryClient, id: string, by: <Job extends JobRow>(job: Job) => Job): void {
  client.setQueriesData<Lists>({ queryKey: jobKeys.lists }, (lists) => {
    if (!lists?.pages.some(({ items }) => items.some((job) => job.id === id))) return lists;
    return {
      ...lists,
      pages: lists.pages.map((page) =>
        page.items.some((job) => job.id === id) ? { ...page, items: page.items.map((job) => (job.id === id ? by(job) : job)) } : page,
      ),
    };
  });
  client.setQueryData<JobDetail>(jobKeys.detail(id), (detail) => detail && by(detail));
}

function isDetail(answer: unknown): answer is JobDetail {
  return typeof answer === 'object' && answer !== null && 'id' in answer && 'state' in answer;
}
