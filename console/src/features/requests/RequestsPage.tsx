/** What people ask for: those who may decide find it here, and everybody finds what they asked for themselves. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { readRequests, requestKeys } from '@/api/requests';
import type { RequestQuery } from '@/api/requests';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useToDecide } from '@/app/frame/useToDecide';
import { RequestCard } from '@/parts/requests/RequestCard';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { REQUEST_TABS } from './search';
import type { RequestTab } from './search';
import style from './Requests.module.css';

const route = getRouteApi('/app/requests');

const QUERIES: Record<RequestTab, RequestQuery> = {
  open: { state: ['open'], mine: false },
  decided: { state: ['approved', 'refused', 'withdrawn'], mine: false },
  mine: { mine: true },
};
const WORDS: Record<RequestTab, { label: MessageKey; none: MessageKey; noneText: MessageKey }> = {
  open: { label: 'requests.open', none: 'requests.noneOpen', noneText: 'requests.noneOpenText' },
  decided: { label: 'requests.decided', none: 'requests.noneDecided', noneText: 'requests.noneDecidedText' },
  mine: { label: 'requests.mine', none: 'requests.noneMine', noneText: 'requests.noneMineText' },
};

export function RequestsPage() {
  const t = useT();
  useLive('users');
  const { tab = 'open' } = route.useSearch();
  const navigate = route.useNavigate();
  const waiting = useToDecide();
  return (
    <Page title={t('nav.requests')}>
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next === 'open' ? undefined : (next as RequestTab) }, replace: true })}
      >
        <Tabs.List aria-label={t('nav.requests')}>
          {REQUEST_TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(WORDS[one].label)}
              {one === 'open' && waiting > 0 && <span className={style.count}>{waiting}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={style.panel}>
          <RequestList key={tab} tab={tab} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function RequestList({ tab }: { tab: RequestTab }) {
  const t = useT();
  const query = QUERIES[tab];
  const list = useInfiniteQuery({
    queryKey: [...requestKeys.list(query), 'pages'],
    queryFn: ({ pageParam, signal }) => readRequests(query, pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollWithoutLive,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (list.isPending) return <Skeleton rows={5} />;
  if (list.isError && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (items.length === 0) {
    const toProjects = (
      <Button variant="default" renderRoot={(props) => <Link to="/projects" {...props} />}>
        {t('requests.toProjects')}
      </Button>
    );
    return (
      <EmptyState icon="inbox" title={t(WORDS[tab].none)} action={tab === 'mine' && toProjects}>
        {t(WORDS[tab].noneText)}
      </EmptyState>
    );
  }
  return (
    <Panel flush>
      <ul className={style.list} aria-label={t(WORDS[tab].label)}>
        {items.map((one) => (
          <RequestCard key={one.id} request={one} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={style.more}>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('requests.more')}
          </Button>
        </div>
      )}
    </Panel>
  );
}
