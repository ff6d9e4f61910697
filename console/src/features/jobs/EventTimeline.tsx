/** What happened to a job, oldest first. */
import { useQuery } from '@tanstack/react-query';
import { listEvents } from '@/api/jobs';
import { keys } from '@/api/keys';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { EmptyState, ErrorState, Skeleton } from '@/ui/States';
import { Ago, Exact } from '@/ui/Time';
import style from './JobPage.module.css';

export function EventTimeline({ job }: { job: string }) {
  const t = useT();
  const say = useSentence();
  const events = useQuery({ queryKey: keys.jobEvents(job), queryFn: ({ signal }) => listEvents(job, signal), refetchInterval: pollWithoutLive });
  if (events.isPending) return <Skeleton rows={5} />;
  if (!events.data) return <ErrorState error={events.error} retry={() => void events.refetch()} />;
  if (events.data.length === 0) return <EmptyState icon="clock" title={t('events.none')} />;
  return (
    <ol className={style.timeline} aria-label={t('tab.events')}>
      {events.data.map((event) => (
        <li key={event.seq} className={style.event} data-kind={event.kind}>
          <div className={style.eventText}>
            {say(event.text)}
            {event.actor && !say(event.text).includes(event.actor) && <span className={style.actor}> · {event.actor}</span>}
          </div>
          <div className={style.eventTime}>
            <Exact at={event.time} /> · <Ago at={event.time} />
          </div>
        </li>
      ))}
    </ol>
  );
}
