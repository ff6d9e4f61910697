/** Every try to run a job, the latest first: how it began, how it ended, what it saved and what is gone. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Attempt, JobDetail } from '@/api/jobs';
import { useLocale, useSentence, useT } from '@/app/i18n';
import { EmptyState } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration, Exact } from '@/ui/words/Time';
import type { JobTab } from '../search';
import { stepOf, workLost } from './attempts';
import ink from '@/ui/theme/ink.module.css';
import style from './Attempts.module.css';

export function AttemptList({ job }: { job: JobDetail }) {
  const t = useT();
  if (job.attempts.length === 0)
    return (
      <EmptyState icon="restart" title={t('attempts.none')}>
        {t('attempts.noneText')}
      </EmptyState>
    );
  const lost = workLost(job.lost, t);
  const several = job.attempts.filter((attempt) => attempt.lost > 0).length > 1;
  return (
    <>
      {several && lost !== null && <p className={style.total}>{t('attempts.lostInAll', { work: lost })}</p>}
      <ol className={style.attempts} aria-label={t('tab.attempts')}>
        {job.attempts.toReversed().map((attempt) => (
          <OneAttempt key={attempt.number} job={job.id} attempt={attempt} latest={attempt.number === job.attempt} />
        ))}
      </ol>
    </>
  );
}

function OneAttempt({ job, attempt, latest }: { job: string; attempt: Attempt; latest: boolean }) {
  const t = useT();
  const say = useSentence();
  const { number, state, reason, story, started_at: started, ended_at: ended } = attempt;
  const told = story ?? reason?.text;
  return (
    <li className={style.attempt}>
      <div className={style.head}>
        <h2>{t('log.attemptNumber', { number })}</h2>
        <JobStatus state={state} reason={reason?.code} />
        {started && (
          <span className={ink.fine}>
            <Exact at={started} /> · <Duration from={started} to={ended} />
          </span>
        )}
        <span className={style.ways}>
          <Way job={job} number={latest ? undefined : number} tab="logs">
            {t('tab.logs')}
          </Way>
          <Way job={job} number={latest ? undefined : number} tab="metrics">
            {t('tab.metrics')}
          </Way>
          <Way job={job} number={latest ? undefined : number} tab="plots">
            {t('tab.plots')}
          </Way>
        </span>
      </div>
      {told && <p className={style.story}>{say(told)}</p>}
      <Ends attempt={attempt} />
    </li>
  );
}

/** From where it went on, how far it came, and what of that is gone. */
function Ends({ attempt: { resumed, saved, lost } }: { attempt: Attempt }) {
  const t = useT();
  const locale = useLocale();
  const gone = workLost(lost, t);
  if (!resumed && !saved && gone === null) return null;
  return (
    <dl className={style.ends}>
      {resumed && (
        <End name={t('attempts.resumed')} title={resumed.path}>
          {stepOf(resumed, locale, t)}
        </End>
      )}
      {saved && (
        <End name={t('attempts.saved')} title={saved.path}>
          {stepOf(saved, locale, t)} · <Ago at={saved.at} />
        </End>
      )}
      {gone !== null && <End name={t('attempts.lost')}>{gone}</End>}
    </dl>
  );
}

function End({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={title}>{children}</dd>
    </div>
  );
}

function Way({ job, number, tab, children }: { job: string; number: number | undefined; tab: JobTab; children: ReactNode }) {
  return (
    <Link to="/jobs/$job" params={{ job }} search={{ tab, attempt: number }}>
      {children}
    </Link>
  );
}
