/** Jobs that the queue does not tell of, as far as one may read them: those that run without GPUs, and those that ended lately. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jobKeys, listJobs, titleOf } from '@/api/jobs';
import type { JobRow, JobState } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { sizeOf } from '@/parts/jobs/size';
import { Person } from '@/ui/words/Person';
import { Icon } from '@/ui/icons';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import type { QueueSearch } from './search';
import { WITHOUT_GPU } from './words';
import ink from '@/ui/theme/ink.module.css';
import lines from '@/parts/waiting/Waiting.module.css';
import style from './Holders.module.css';

const ACTIVE: JobState[] = ['starting', 'running', 'stopping'];
const ENDED: JobState[] = ['completed', 'failed', 'stopped'];
/** The server's largest page: those without GPUs are picked here. */
const ALL = 500;
const LATELY = 20;

type Props = { search: QueueSearch };

export function WithoutGpus({ search }: Props) {
  const t = useT();
  const jobs = useJobs(search, ACTIVE, ALL).filter(({ gpus }) => gpus === 0);
  return search.lane === undefined || search.lane === WITHOUT_GPU ? <Lines title={t('queue.withoutGpus')} jobs={jobs} open /> : null;
}

export function EndedLately({ search }: Props) {
  const t = useT();
  const jobs = useJobs(search, ENDED, LATELY);
  return search.lane === undefined ? <Lines title={t('queue.ended')} jobs={jobs} /> : null;
}

const NONE: JobRow[] = [];

function useJobs({ project, owner }: QueueSearch, state: JobState[], limit: number): JobRow[] {
  useLive('jobs');
  const query = { state, limit, ...(project !== undefined && { project }), ...(owner !== undefined && { owner }) };
  const asked = state === ENDED ? { ...query, sort: '-ended' as const } : query;
  const { data } = useQuery({
    queryKey: jobKeys.page(asked),
    queryFn: ({ signal }) => listJobs(asked, signal),
    refetchInterval: () => pollWithoutLive(),
  });
  return data?.items ?? NONE;
}

function Lines({ title, jobs, open = false }: { title: string; jobs: readonly JobRow[]; open?: boolean }) {
  const t = useT();
  if (jobs.length === 0) return null;
  return (
    <details className={style.holders} open={open}>
      <summary>
        <Icon name="right" size={14} />
        <h2 className={ink.heading}>{title}</h2>
        <span className={ink.quiet}>{t('queue.readable', { count: jobs.length })}</span>
      </summary>
      <div className={style.models} data-single>
        <ul className={lines.holders}>
          {jobs.map((job) => (
            <Line key={job.id} job={job} />
          ))}
        </ul>
      </div>
    </details>
  );
}

function Line({ job }: { job: JobRow }) {
  const t = useT();
  const me = useMe().name;
  const began = job.started_at ?? job.queued_at ?? job.created_at;
  return (
    <li>
      <span className={lines.who}>
        <JobStatus state={job.state} />
        <b>
          <Person name={job.owner} />
        </b>
        {job.owner === me && <span className={lines.you}>{t('queue.you')}</span>}
        <Link to="/jobs/$job" params={{ job: job.id }} className={lines.job}>
          {titleOf(job)}
        </Link>
      </span>
      <span className={lines.cards}>{sizeOf(job, t)}</span>
      <span className={lines.runs}>
        {job.ended_at === null && (
          <>
            {t('hold.runs')} <Duration from={began} />
          </>
        )}
      </span>
      <span className={lines.ends}>{job.ended_at !== null && <Ago at={job.ended_at} />}</span>
    </li>
  );
}
