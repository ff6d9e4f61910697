/** The jobs that something would touch; of others' only whose they are. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Affected } from '@/api/types';
import { useT } from '@/app/i18n';
import { className } from '@/parts/quotas/words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

/** More than these nobody reads. */
const NAMED = 50;

interface Props<Job extends Affected> {
  title: string;
  jobs: readonly Job[];
  /** What becomes of it. */
  note?: (job: Job) => ReactNode;
}

export function AffectedJobs<Job extends Affected>({ title, jobs, note }: Props<Job>) {
  const t = useT();
  if (jobs.length === 0) return null;
  return (
    <div>
      <p className={style.name}>{title}</p>
      <ul className={style.listed} aria-label={title}>
        {jobs.slice(0, NAMED).map((job, index) => (
          <li key={job.job_id ?? `hidden ${index}`}>
            <span className={style.grow}>
              {job.job_id ? (
                <Link to="/jobs/$job" params={{ job: job.job_id }} target="_blank">
                  {job.name}
                </Link>
              ) : (
                <span className={ink.quiet}>{t('affected.private')}</span>
              )}
            </span>
            <span className={ink.quiet}>
              {job.owner} · {className(job.class, t)}
            </span>
            {note && <span>{note(job)}</span>}
          </li>
        ))}
        {jobs.length > NAMED && <li className={ink.quiet}>{t('affected.more', { count: jobs.length - NAMED })}</li>}
      </ul>
    </div>
  );
}

/** What has to give way when nodes are emptied: by itself in time, or made to. */
export function GivingWay({ jobs }: { jobs: readonly (Affected & { ends_by_itself: boolean })[] }) {
  const t = useT();
  if (jobs.length === 0) return <p className={ink.quiet}>{t('affected.none')}</p>;
  return (
    <AffectedJobs
      title={t('affected.running', { count: jobs.length })}
      jobs={jobs}
      note={({ ends_by_itself: ends }) => (
        <span className={style.tag} data-tone={ends ? 'green' : 'amber'}>
          {t(ends ? 'affected.ends' : 'affected.givesWay')}
        </span>
      )}
    />
  );
}
