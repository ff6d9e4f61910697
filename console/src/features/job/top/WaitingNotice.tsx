/** Why a job waits, where it stands, what would start it now, and what to do meanwhile. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobDetail } from '@/api/jobs';
import { queueKeys, whyJob } from '@/api/queue';
import type { Help, QueueItem, Why } from '@/api/queue';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { changesFor } from '@/parts/jobs/changes';
import { sizeOf } from '@/parts/jobs/size';
import { Icon } from '@/ui/icons';
import { Duration } from '@/ui/words/Time';
import { ReasonNotice } from './ReasonNotice';
import ink from '@/ui/theme/ink.module.css';
import style from './JobTop.module.css';

const CLASS_WORDS: Record<string, MessageKey> = {
  single: 'waiting.single',
  distributed: 'waiting.distributed',
  workspace: 'waiting.workspace',
  service: 'waiting.service',
};

export function WaitingNotice({ job }: { job: JobDetail }) {
  const t = useT();
  useLive('queue');
  const why = useQuery({
    queryKey: queueKeys.why(job.id),
    queryFn: ({ signal }) => whyJob(job.id, signal),
    refetchInterval: pollWithoutLive,
  });
  const reason = why.data?.reason ?? job.waiting ?? job.reason;
  return (
    <ReasonNotice state={job.state} reason={reason} plain={t('sentence.queued')}>
      {why.data && <Places why={why.data} />}
      {why.data && why.data.helps.length > 0 && <Helps job={job} helps={why.data.helps} />}
      <Meanwhile job={job} />
    </ReasonNotice>
  );
}

function Places({ why }: { why: Why }) {
  const t = useT();
  if (why.places.length === 0) return null;
  return (
    <div className={style.part}>
      <h2>{t('waiting.place')}</h2>
      <ul className={style.places}>
        {why.places.map(({ lane, position }) => (
          <li key={`${lane.gpu_model}/${lane.class}`}>
            <b>{t('waiting.position', { position })}</b>{' '}
            {t('waiting.inLane', {
              model: lane.gpu_model === 'cpu' ? t('waiting.cpu') : lane.gpu_model,
              lane: t(CLASS_WORDS[lane.class]!),
            })}
          </li>
        ))}
      </ul>
      {why.ahead.length > 0 && (
        <>
          <p className={ink.quiet}>{t('waiting.ahead', { count: why.ahead_total })}</p>
          <ol className={style.ahead}>
            {why.ahead.map((item) => (
              <Ahead key={`${item.lane.gpu_model}/${item.lane.class}/${item.position}`} item={item} />
            ))}
            {why.ahead_total > why.ahead.length && (
              <li className={ink.quiet}>{t('waiting.more', { count: why.ahead_total - why.ahead.length })}</li>
            )}
          </ol>
        </>
      )}
    </div>
  );
}

function Ahead({ item }: { item: QueueItem }) {
  const t = useT();
  return (
    <li>
      <span className={style.number}>{item.position}</span>
      {item.job_id ? (
        <Link to="/jobs/$job" params={{ job: item.job_id }}>
          {item.name}
        </Link>
      ) : (
        t('waiting.someone', { owner: item.owner })
      )}
      <span className={ink.quiet}>
        {' · '}
        {sizeOf(item, t)}
        {item.pinned_at && ` · ${t('job.pinned')}`}
        {item.queued_at && (
          <>
            {' '}
            · {t('waiting.waits')} <Duration from={item.queued_at} />
          </>
        )}
      </span>
    </li>
  );
}

/** A waiting job is not edited; a copy with the change starts at once. */
function Helps({ job, helps }: { job: JobDetail; helps: Help[] }) {
  const t = useT();
  const say = useSentence();
  const editable = job.actions.includes('edit');
  return (
    <div className={style.part}>
      <h2>{t('waiting.helps')}</h2>
      <ul className={style.helps}>
        {helps.map((help) => (
          <li key={`${help.change}=${help.value}`}>
            <Icon name="bulb" size={14} />
            <span>{say(help.text)}</span>
            {editable ? (
              <Button
                size="compact-xs"
                variant="default"
                renderRoot={(props) => <Link to="/jobs/$job/edit" params={{ job: job.id }} {...props} />}
              >
                {t('waiting.edit')}
              </Button>
            ) : (
              job.actions.includes('clone') && <CloneWith job={job} changes={changesFor(help, job.spec)} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function CloneWith({ job, changes }: { job: JobDetail; changes: string[] }) {
  const t = useT();
  const some = changes.length > 0;
  return (
    <Button
      size="compact-xs"
      variant="default"
      renderRoot={(props) => <Link to="/jobs/new" search={{ from: job.id, ...(some && { set: changes }) }} {...props} />}
    >
      {some ? t('waiting.clone') : t('failed.clone')}
    </Button>
  );
}

function Meanwhile({ job }: { job: JobDetail }) {
  const t = useT();
  const me = useMe();
  const mine = job.owner === me.name;
  return (
    <div className={style.part}>
      <h2>{t('meanwhile.title')}</h2>
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
