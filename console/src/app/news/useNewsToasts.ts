/** A word in the corner when one of one's jobs ends while the console is open. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { formatDuration } from '@/ui/words/format';
import { useSentence, useT } from '../i18n';
import { notify } from '../notify';

/** More at once become one message. */
const MOST_AT_ONCE = 3;

export function useNewsToasts(news: readonly JobRow[] | undefined): void {
  const t = useT();
  const sentence = useSentence();
  const navigate = useNavigate();
  const known = useRef<Known>(undefined);
  useEffect(() => {
    if (!news) return;
    const before = known.current;
    known.current = withThese(before, news);
    if (!before) return;
    const fresh = freshEndings(news, before);
    if (fresh.length > MOST_AT_ONCE) {
      notify({
        message: t('news.several', { count: fresh.length }),
        action: { label: t('news.show'), run: () => void navigate({ to: '/jobs', search: { owner: 'me' } }) },
      });
      return;
    }
    for (const job of fresh) {
      notify({
        title: t(TITLES[job.state as Ended] ?? 'news.stopped', { name: titleOf(job) }),
        message: job.state === 'completed' ? ranFor(job, t) : job.reason ? sentence(job.reason.text) : '',
        bad: job.state === 'failed',
        action: { label: t('news.open'), run: () => void navigate({ to: '/jobs/$job', params: { job: job.id } }) },
      });
    }
  }, [news, t, sentence, navigate]);
}

type Ended = keyof typeof TITLES;
const TITLES = { completed: 'news.completed', failed: 'news.failed', stopped: 'news.stopped' } as const;

/** The latest end that was seen, in milliseconds, and what was seen of that moment and before. */
export interface Known {
  until: number;
  endings: ReadonlySet<string>;
}

export function withThese(before: Known | undefined, news: readonly JobRow[]): Known {
  const ends = news.map((job) => Date.parse(job.ended_at!));
  return { until: Math.max(before?.until ?? Number.NEGATIVE_INFINITY, ...ends), endings: new Set(news.map(ending)) };
}

/** Those that ended no earlier than all that are known: what slides into view from below, when others are deleted, is old. */
export function freshEndings(news: readonly JobRow[], { until, endings }: Known): JobRow[] {
  return news.filter((job) => Date.parse(job.ended_at!) >= until && !endings.has(ending(job)));
}

/** A job that is started again ends again. */
function ending(job: JobRow): string {
  return `${job.id} ${job.ended_at}`;
}

function ranFor(job: JobRow, t: ReturnType<typeof useT>): string {
  if (!job.started_at || !job.ended_at) return '';
  const seconds = (Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000;
  return t('news.ranFor', { duration: formatDuration(seconds, t) });
}
