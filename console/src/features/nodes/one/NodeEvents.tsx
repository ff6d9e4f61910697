/** What happened on a node, the latest first; earlier ones on demand. */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listNodeEvents, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import type { DanluEvent } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ago, Exact } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from '../NodePage.module.css';

export function NodeEvents({ node }: { node: Node }) {
  const t = useT();
  const { name } = node;
  const names = new Map(node.tasks.map((task) => [task.job_id, task.job_name]));
  const events = useInfiniteQuery({
    queryKey: nodeKeys.events(name),
    queryFn: ({ pageParam, signal }) => listNodeEvents(name, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: pollWithoutLive,
  });
  const items = events.data?.pages.flatMap((page) => page.items);
  return (
    <Panel title={t('nodes.events')} flush>
      {events.isPending && <Skeleton rows={4} />}
      {events.isError && !items && <ErrorState small error={events.error} retry={() => void events.refetch()} />}
      {items?.length === 0 && <EmptyState small icon="clock" title={t('nodes.noEvents')} />}
      {items && items.length > 0 && (
        <ol className={style.events} aria-label={t('nodes.events')}>
          {items.map((event) => (
            <EventLine key={event.seq} event={event} job={names.get(event.job_id)} />
          ))}
        </ol>
      )}
      {events.hasNextPage && (
        <div className={style.earlier}>
          <Button variant="default" loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            {t('nodes.earlier')}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** The name of a job that has left the node is not told with its events. */
function EventLine({ event, job }: { event: DanluEvent; job: string | null | undefined }) {
  const t = useT();
  const say = useSentence();
  return (
    <li className={style.event}>
      <span className={style.eventText}>{say(event.text)}</span>
      {event.job_id && (
        <Link to="/jobs/$job" params={{ job: event.job_id }}>
          {job ?? t('nodes.toJob')}
        </Link>
      )}
      <span className={ink.fine}>
        <Exact at={event.time} /> · <Ago at={event.time} />
      </span>
    </li>
  );
}
