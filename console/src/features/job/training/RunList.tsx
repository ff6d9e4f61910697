/** The runs of the job's name, the latest first: each a job of its own. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jobKeys, listRuns } from '@/api/jobs';
import type { JobDetail, JobRow } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from './Attempts.module.css';

export function RunList({ job }: { job: JobDetail }) {
  const t = useT();
  const runs = useQuery({
    queryKey: jobKeys.runs(job.id),
    queryFn: ({ signal }) => listRuns(job.id, signal),
    refetchInterval: pollWithoutLive,
  });
  if (runs.isError) return <ErrorState error={runs.error} retry={() => void runs.refetch()} />;
  if (!runs.data) return <Skeleton />;
  return (
    <ol className={style.attempts} aria-label={t('tab.runs')}>
      {runs.data.items.map((run) => (
        <OneRun key={run.id} run={run} here={run.id === job.id} />
      ))}
    </ol>
  );
}

function OneRun({ run, here }: { run: JobRow; here: boolean }) {
  const t = useT();
  const say = useSentence();
  return (
    <li className={style.attempt} aria-current={here || undefined}>
      <div className={style.head}>
        <h2>
          {here ? (
            t('runs.number', { number: run.run })
          ) : (
            <Link to="/jobs/$job" params={{ job: run.id }} className={ink.link}>
              {t('runs.number', { number: run.run })}
            </Link>
          )}
        </h2>
        <JobStatus state={run.state} reason={run.reason?.code} />
        <span className={ink.fine}>
          <Ago at={run.created_at} />
          {run.started_at && (
            <>
              {' · '}
              <Duration from={run.started_at} to={run.ended_at} />
            </>
          )}
          {here && ` · ${t('runs.here')}`}
        </span>
      </div>
      {run.reason && <p className={style.story}>{say(run.reason.text)}</p>}
    </li>
  );
}
