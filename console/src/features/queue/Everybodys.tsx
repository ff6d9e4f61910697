/** Everybody's jobs in every state, newest first, page by page; of those that one may not read only what everybody may know. */
import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JOB_STATES } from '@/api/jobs';
import { getEverybodysJobs, queueKeys } from '@/api/queue';
import type { AnybodysJob } from '@/api/queue';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { KIND_WORDS, sizeOf } from '@/parts/jobs/size';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Person } from '@/ui/words/Person';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import type { QueueSearch } from './search';
import ink from '@/ui/theme/ink.module.css';
import lists from '@/ui/table/lists.module.css';
import lines from '@/parts/waiting/Waiting.module.css';
import holders from './Holders.module.css';
import style from './Queue.module.css';

const PAGE = 50;
const LOOK_AGAIN_MS = 10_000;

interface Props {
  search: QueueSearch;
  onChange: (part: Partial<QueueSearch>) => void;
}

export function Everybodys({ search, onChange }: Props) {
  const t = useT();
  const { state, project, owner } = search;
  const query = { state: state && [state], project, owner, limit: PAGE };
  const found = useInfiniteQuery({
    queryKey: queueKeys.everybodys(query),
    queryFn: ({ pageParam, signal }) => getEverybodysJobs({ ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: () => pollWithoutLive() || LOOK_AGAIN_MS,
  });
  const jobs = found.data?.pages.flatMap((page) => page.items) ?? [];
  const total = found.data?.pages[0]?.total ?? 0;
  return (
    <section className={holders.holders} aria-label={t('queue.everyState')}>
      <div className={style.everyState}>
        <h2 className={ink.heading}>{t('queue.everyState')}</h2>
        <States chosen={state} onChange={(one) => onChange({ state: one })} />
        {found.data && <span className={ink.quiet}>{t('queue.jobsInAll', { count: total })}</span>}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={holders.models} data-single tabIndex={0} role="region" aria-label={t('queue.jobsListed')}>
        {found.isPending && <Skeleton rows={4} />}
        {found.isError && !found.data && <ErrorState error={found.error} retry={() => void found.refetch()} />}
        {found.data && jobs.length === 0 && <p className={ink.quiet}>{t('queue.noneInState')}</p>}
        <ul className={lines.holders}>
          {keyed(jobs).map(([key, job]) => (
            <Line key={key} job={job} />
          ))}
        </ul>
        {found.hasNextPage && (
          <Button
            variant="default"
            className={style.moreJobs}
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage({ cancelRefetch: false })}
          >
            {t('queue.moreJobs', { shown: jobs.length, total })}
          </Button>
        )}
      </div>
    </section>
  );
}

function States({ chosen, onChange }: { chosen: QueueSearch['state']; onChange: (state: QueueSearch['state']) => void }) {
  const t = useT();
  return (
    <fieldset className={lists.chips}>
      <legend className="visually-hidden">{t('queue.state')}</legend>
      {JOB_STATES.map((one) => (
        <button
          key={one}
          type="button"
          className={`${lists.chip} ${style.chip}`}
          aria-pressed={chosen === one}
          onClick={() => onChange(chosen === one ? undefined : one)}
        >
          {t(`state.${one}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** Each with a name of its own: of others' jobs nothing tells two apart that were created together. */
function keyed(jobs: readonly AnybodysJob[]): [key: string, job: AnybodysJob][] {
  const seen = new Map<string, number>();
  return jobs.map((job) => {
    const name = job.job_id ?? `${job.owner} ${job.created_at}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return [`${name} ${seen.get(name)}`, job];
  });
}

function Line({ job }: { job: AnybodysJob }) {
  const t = useT();
  return (
    <li>
      <span className={lines.who}>
        <JobStatus state={job.state} />
        <b>
          <Person name={job.owner} />
        </b>
        {job.mine && <span className={lines.you}>{t('queue.you')}</span>}
        {job.job_id === null ? (
          <span className={ink.quiet}>{t(KIND_WORDS[job.kind])}</span>
        ) : (
          <Link to="/jobs/$job" params={{ job: job.job_id }} className={lines.job}>
            {job.name}
          </Link>
        )}
      </span>
      <span className={lines.cards}>{sizeOf(job, t)}</span>
      <span className={lines.runs}>
        {job.started_at !== null && (
          <>
            {t('hold.runs')} <Duration from={job.started_at} to={job.ended_at} />
          </>
        )}
      </span>
      <span className={lines.ends}>
        <Ago at={job.ended_at ?? job.created_at} />
      </span>
    </li>
  );
}
