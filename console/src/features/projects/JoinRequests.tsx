/** Those who ask to join a project, right on its page; nothing where nobody does. */
import { useQuery } from '@tanstack/react-query';
import { readRequests, requestKeys } from '@/api/requests';
import { useT } from '@/app/i18n';
import { RequestCard } from '@/parts/requests/RequestCard';
import { Panel } from '@/ui/page/Panel';
import style from './Projects.module.css';

const OPEN_JOINS = { state: ['open' as const], kind: 'join' as const, mine: false };

export function JoinRequests({ project }: { project: string }) {
  const t = useT();
  const found = useQuery({ queryKey: requestKeys.list(OPEN_JOINS), queryFn: ({ signal }) => readRequests(OPEN_JOINS, undefined, signal) });
  const waiting = found.data?.items.filter(({ subject, can_decide }) => subject === project && can_decide) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title={t('projects.joinRequests', { count: waiting.length })} flush>
      <ul className={style.requests}>
        {waiting.map((one) => (
          <RequestCard key={one.id} request={one} />
        ))}
      </ul>
    </Panel>
  );
}
