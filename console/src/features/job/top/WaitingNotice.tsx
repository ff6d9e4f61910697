/** A job that waits: why, and what to do meanwhile. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobDetail } from '@/api/jobs';
import { queueKeys, whyJob } from '@/api/queue';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { WaitingPanel } from '@/parts/waiting/WaitingPanel';
import { Ago } from '@/ui/words/Time';
import { ReasonNotice } from './ReasonNotice';
import style from './JobTop.module.css';

export function WaitingNotice({ job }: { job: JobDetail }) {
  const t = useT();
  useLive('queue');
  const { data: why } = useQuery({
    queryKey: queueKeys.why(job.id),
    queryFn: ({ signal }) => whyJob(job.id, signal),
    refetchInterval: pollWithoutLive,
  });
  if (!why)
    return (
      <ReasonNotice state={job.state} reason={job.waiting ?? job.reason} plain={t('sentence.queued')}>
        <Meanwhile job={job} />
      </ReasonNotice>
    );
  return (
    <WaitingPanel job={job} why={why}>
      <Meanwhile job={job} />
    </WaitingPanel>
  );
}

/** What ended the attempt before, which is why it waits again. */
function Before({ job }: { job: JobDetail }) {
  const t = useT();
  const say = useSentence();
  const last = job.attempts.find(({ number }) => number === job.attempt);
  if (!last?.reason || !last.ended_at) return null;
  return (
    <p>
      {t('meanwhile.before', { number: last.number, why: say(last.reason.text) })} <Ago at={last.ended_at} />
    </p>
  );
}

function Meanwhile({ job }: { job: JobDetail }) {
  const t = useT();
  const me = useMe();
  const mine = job.owner === me.name;
  return (
    <div>
      <Before job={job} />
      <h2 className={style.quietHead}>{t('meanwhile.title')}</h2>
      <ul className={style.links}>
        {mine && job.actions.includes('order') && (
          <li>
            <Link to="/queue" search={{ owner: 'me' }}>
              {t('meanwhile.order')}
            </Link>
          </li>
        )}
        {job.attempt > 0 && (
          <li>
            <Link to="/jobs/$job" params={{ job: job.id }} search={{ tab: 'logs', attempt: job.attempt }}>
              {t('meanwhile.log', { number: job.attempt })}
            </Link>
          </li>
        )}
        {job.actions.includes('edit') && (
          <li>
            <Link to="/jobs/$job/edit" params={{ job: job.id }}>
              {t('meanwhile.edit')}
            </Link>
          </li>
        )}
        <li>
          <Link to="/scores/$user" params={{ user: job.owner }}>
            {mine ? t('meanwhile.score') : t('meanwhile.scoreOf', { user: job.owner })}
          </Link>
        </li>
        <li>
          <Link to="/nodes">{t('meanwhile.nodes')}</Link>
        </li>
      </ul>
      <details className={style.guide}>
        <summary>{t('meanwhile.guide')}</summary>
        <p>{t('meanwhile.guideText')}</p>
      </details>
    </div>
  );
}
