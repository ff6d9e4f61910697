/** What happened to a job, by attempt, oldest first. */
import { Button, SegmentedControl } from '@mantine/core';
import type { DanluEvent } from '@/api/types';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ago, Exact } from '@/ui/words/Time';
import { byAttempt, eventLook } from './event-groups';
import type { EventGroup } from './event-groups';
import type { PartProps } from './parts';
import { EVENT_SUBJECTS } from './search';
import type { EventSubject } from './search';
import { useJobEvents } from './useJobEvents';
import ink from '@/ui/theme/ink.module.css';
import style from './Events.module.css';

const SUBJECT_WORDS: Record<EventSubject, MessageKey> = {
  people: 'events.people',
  states: 'events.states',
  tasks: 'events.tasks',
  queue: 'events.queue',
};

export function EventTimeline({ job: { id }, search: { about }, onChange }: Pick<PartProps, 'job' | 'search' | 'onChange'>) {
  const t = useT();
  const events = useJobEvents(id);
  if (events.isPending) return <Skeleton rows={5} />;
  if (!events.data) return <ErrorState error={events.error} retry={() => void events.refetch()} />;
  if (events.data.length === 0) return <EmptyState icon="clock" title={t('events.none')} />;
  return (
    <>
      <div className={style.filter}>
        <SegmentedControl
          aria-label={t('events.about')}
          value={about ?? ''}
          onChange={(value) => onChange({ about: (value || undefined) as EventSubject | undefined })}
          data={[{ value: '', label: t('events.all') }, ...EVENT_SUBJECTS.map((value) => ({ value, label: t(SUBJECT_WORDS[value]) }))]}
        />
      </div>
      <EventGroups events={events.data} about={about} onAll={() => onChange({ about: undefined })} />
    </>
  );
}

export function EventGroups({ events, about, onAll }: { events: DanluEvent[]; about?: EventSubject | undefined; onAll?: () => void }) {
  const t = useT();
  const groups = byAttempt(events)
    .map(({ attempt, events: all }) => ({
      attempt,
      events: all.filter((event) => about === undefined || eventLook(event).subject === about),
    }))
    .filter((group) => group.events.length > 0);
  if (groups.length === 0) {
    return (
      <EmptyState
        icon="filter"
        title={t('events.noneMatch')}
        action={
          <Button variant="default" onClick={onAll}>
            {t('events.showAll')}
          </Button>
        }
      />
    );
  }
  const several = groups.length > 1 || groups[0]!.attempt !== 1;
  return groups.map((group, index) => <Group key={group.events[0]!.seq} group={group} titled={several} first={index === 0} />);
}

function Group({ group, titled, first }: { group: EventGroup; titled: boolean; first: boolean }) {
  const t = useT();
  const title = group.attempt !== null ? t('log.attemptNumber', { number: group.attempt }) : first ? t('events.before') : t('events.after');
  return (
    <section className={style.group} aria-label={title}>
      {titled && <h2 className={style.groupTitle}>{title}</h2>}
      <ol className={style.timeline}>
        {group.events.map((event) => (
          <Event key={event.seq} event={event} />
        ))}
      </ol>
    </section>
  );
}

function Event({ event }: { event: DanluEvent }) {
  const say = useSentence();
  const { icon, tone } = eventLook(event);
  return (
    <li className={style.event}>
      <span className={style.icon} data-tone={tone}>
        <Icon name={icon} size={12} />
      </span>
      <div className={style.text}>
        {say(event.text)}
        {event.actor && !say(event.text).includes(event.actor) && <span className={ink.quiet}> · {event.actor}</span>}
      </div>
      <div className={style.time}>
        <Exact at={event.time} /> · <Ago at={event.time} />
      </div>
    </li>
  );
}
