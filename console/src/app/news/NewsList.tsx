/** What the bell shows: ended jobs, the latest first, those that failed with their reason. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { newerThan } from '@/parts/news';
import { useCloseDropdown } from '@/ui/menu/Dropdown';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import { useSentence, useT } from '../i18n';
import ink from '@/ui/theme/ink.module.css';
import style from './News.module.css';

interface Props {
  query: UseQueryResult<JobRow[]>;
  /** What ended later is marked as new. */
  readTo: string | null;
}

export default function NewsList({ query, readTo }: Props) {
  const t = useT();
  const close = useCloseDropdown();
  const fresh = new Set(newerThan(query.data ?? [], readTo).map(({ id }) => id));
  return (
    <>
      <div className={style.head}>
        <h2 className={ink.heading}>{t('news.title')}</h2>
        <Link to="/jobs" search={{ owner: 'me' }} data-autofocus onClick={close}>
          {t('news.all')}
        </Link>
      </div>
      {query.isPending && <Skeleton rows={4} />}
      {query.isError && !query.data && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <EmptyState icon="bell" title={t('news.none')}>
          {t('news.noneText')}
        </EmptyState>
      )}
      {query.data && query.data.length > 0 && (
        <ul className={style.list}>
          {query.data.map((job) => (
            <li key={job.id}>
              <Item job={job} fresh={fresh.has(job.id)} onOpen={close} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ job, fresh, onOpen }: { job: JobRow; fresh: boolean; onOpen: () => void }) {
  const t = useT();
  const sentence = useSentence();
  return (
    <Link to="/jobs/$job" params={{ job: job.id }} className={style.item} data-fresh={fresh || undefined} onClick={onOpen}>
      <span className={style.first}>
        <span className={style.name}>{titleOf(job)}</span>
        {fresh && <span className="visually-hidden">{t('news.new')}</span>}
        <Ago at={job.ended_at!} />
      </span>
      <span className={style.second}>
        <JobStatus state={job.state} />
        <span className={style.why}>
          {job.state !== 'completed' && job.reason
            ? sentence(job.reason.text)
            : job.started_at && <Duration from={job.started_at} to={job.ended_at} />}
        </span>
      </span>
    </Link>
  );
}
