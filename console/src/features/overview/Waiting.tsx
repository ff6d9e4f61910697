/** One's own jobs that wait: their place, why, and what would help the next of them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getQueue, queueKeys, whyJob } from '@/api/queue';
import type { QueueItem } from '@/api/queue';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { sizeOf } from '@/parts/jobs/size';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Duration } from '@/ui/words/Time';
import { Section } from './Section';
import { inTurn } from './turns';
import ink from '@/ui/theme/ink.module.css';
import style from './Overview.module.css';

const MINE = { owner: 'me', limit: 50 };
const SHOWN = 5;

export function Waiting() {
  const t = useT();
  const queue = useQuery({
    queryKey: queueKeys.page(MINE),
    queryFn: ({ signal }) => getQueue(MINE, signal),
    refetchInterval: pollWithoutLive,
  });
  const count = queue.data?.items.length ?? 0;
  const all = count > 0 && (
    <Link to="/queue" search={{ owner: 'me' }}>
      {t('overview.toQueue')}
    </Link>
  );
  const toQueue = (
    <Button variant="default" renderRoot={(props) => <Link to="/queue" {...props} />}>
      {t('overview.toQueue')}
    </Button>
  );
  return (
    <Section title={t('overview.waiting')} aside={all} query={queue}>
      {({ items }) =>
        items.length > 0 ? (
          <>
            <ul aria-label={t('overview.waiting')}>
              {inTurn(items)
                .slice(0, SHOWN)
                .map((item, at) => (
                  <WaitingJob key={item.job_id ?? at} item={item} next={at === 0} />
                ))}
            </ul>
            {count > SHOWN && <p className={style.more}>{t('overview.moreWaiting', { count: count - SHOWN })}</p>}
          </>
        ) : (
          <EmptyState small icon="queued" title={t('overview.noneWaiting')} action={toQueue}>
            {t('overview.noneWaitingText')}
          </EmptyState>
        )
      }
    </Section>
  );
}

function WaitingJob({ item, next }: { item: QueueItem; next: boolean }) {
  const t = useT();
  const say = useSentence();
  return (
    <li className={style.job} data-next={next || undefined}>
      <div className={style.jobLine}>
        {item.job_id ? (
          <Link to="/jobs/$job" params={{ job: item.job_id }} className={style.jobName}>
            {item.name}
          </Link>
        ) : (
          <span className={style.jobName}>{item.name}</span>
        )}
        {next && <span className={style.nextMark}>{t('overview.next')}</span>}
        {item.reason?.code === 'preempted' && <JobStatus state="queued" reason="preempted" />}
        <span className={style.jobEnd}>{item.queued_at && <Duration from={item.queued_at} />}</span>
      </div>
      <div className={style.jobLine}>
        <span className={ink.fine}>
          {t(item.class === 'distributed' ? 'overview.placeDistributed' : 'overview.placeSingle', {
            position: item.position,
            model: item.lane.gpu_model || 'CPU',
          })}
          {' · '}
          {sizeOf(item, t)}
        </span>
      </div>
      {next && item.job_id ? <NextWhy id={item.job_id} item={item} /> : item.reason && <p className={style.why}>{say(item.reason.text)}</p>}
    </li>
  );
}

/** The row's own reason at once, the fuller answer when it is there. */
function NextWhy({ id, item }: { id: string; item: QueueItem }) {
  const t = useT();
  const say = useSentence();
  const why = useQuery({ queryKey: queueKeys.why(id), queryFn: ({ signal }) => whyJob(id, signal), refetchInterval: pollWithoutLive });
  const reason = why.data?.reason ?? item.reason;
  const help = why.data?.helps[0];
  const tip = help ? say(help.text) : reason && say(reason.advice);
  return (
    <>
      <p className={style.why}>{reason ? say(reason.text) : t('overview.soon')}</p>
      {tip && (
        <p className={style.tip}>
          <Icon name="bulb" size={14} />
          {tip}
        </p>
      )}
    </>
  );
}
