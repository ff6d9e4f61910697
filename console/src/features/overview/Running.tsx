/** One's own jobs that run: how long, how large, how far toward the time they were given. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getJob, jobKeys, listJobs, titleOf } from '@/api/jobs';
import type { JobQuery, JobRow } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { sizeOf } from '@/parts/jobs/size';
import { useNow } from '@/ui/words/clock';
import { useMaySubmit } from '@/app/session';
import { formatDuration } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Duration } from '@/ui/words/Time';
import { progressOf } from './amounts';
import { Section } from './Section';
import { Spark } from './Spark';
import ink from '@/ui/theme/ink.module.css';
import style from './Overview.module.css';

const MINE: JobQuery = { owner: 'me', state: ['starting', 'running', 'stopping'], limit: 6, sort: '-created' };

export function Running() {
  const t = useT();
  const jobs = useQuery({
    queryKey: jobKeys.page(MINE),
    queryFn: ({ signal }) => listJobs(MINE, signal),
    refetchInterval: pollWithoutLive,
  });
  const total = jobs.data?.total ?? 0;
  const all = total > 0 && (
    <Link to="/jobs" search={{ owner: 'me', state: MINE.state }}>
      {t('overview.all', { count: total })}
    </Link>
  );
  return (
    <Section title={t('overview.running')} aside={all} query={jobs}>
      {({ items }) =>
        items.length > 0 ? (
          <ul aria-label={t('overview.running')}>
            {items.map((job) => (
              <RunningJob key={job.id} job={job} />
            ))}
          </ul>
        ) : (
          <EmptyState small icon="play" title={t('overview.noneRunning')} action={<NewJob />}>
            {t('overview.noneRunningText')}
          </EmptyState>
        )
      }
    </Section>
  );
}

export function NewJob() {
  const t = useT();
  if (!useMaySubmit()) return null;
  return (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} renderRoot={(props) => <Link to="/jobs/new" {...props} />}>
      {t('overview.submit')}
    </Button>
  );
}

function RunningJob({ job }: { job: JobRow }) {
  const t = useT();
  return (
    <li className={style.job}>
      <div className={style.jobLine}>
        <Link to="/jobs/$job" params={{ job: job.id }} className={style.jobName}>
          {titleOf(job)}
        </Link>
        <JobStatus state={job.state} reason={job.reason?.code} />
        {job.state === 'running' && <Spark job={job.id} name={titleOf(job)} />}
        <span className={style.jobEnd}>{job.started_at && <Duration from={job.started_at} />}</span>
      </div>
      <div className={style.jobLine}>
        <span className={ink.fine}>
          {sizeOf(job, t)} · {job.project}
        </span>
        {job.state === 'running' && <TimeGiven job={job} />}
      </div>
    </li>
  );
}

/** The time a job was given is in its file only; a job that set none has no bar. */
function TimeGiven({ job }: { job: JobRow }) {
  const t = useT();
  const now = useNow(5000);
  const { data } = useQuery({ queryKey: jobKeys.detail(job.id), queryFn: ({ signal }) => getJob(job.id, signal), staleTime: 5 * 60_000 });
  const progress = data ? progressOf({ spec: data.spec, started_at: job.started_at }, now) : null;
  if (!progress) return null;
  const words = t(progress.hard ? 'overview.ofMost' : 'overview.ofExpected', { time: formatDuration(progress.limit / 1000, t) });
  const percent = Math.round(progress.share * 100);
  return (
    <span className={style.given} data-over={progress.share >= 1 || undefined}>
      <span
        className={style.progress}
        role="progressbar"
        aria-label={t('overview.timeOf', { name: titleOf(job) })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className={ink.fine}>
        {percent} % · {words}
      </span>
    </span>
  );
}
