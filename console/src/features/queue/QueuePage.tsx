/** The queue: everybody's jobs in the true order of service, those that run first, then those that wait, lane by lane. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useT } from '@/app/i18n';
import { useMaySubmit, useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Everybodys } from './Everybodys';
import { Holders } from './Holders';
import { countOf, modelsOf } from './lanes';
import { QueueFilters } from './QueueFilters';
import { QueueSummary } from './QueueSummary';
import { CLASSES, isFiltered } from './search';
import type { QueueSearch } from './search';
import { TurnHelp } from './TurnHelp';
import { useQueue } from './useQueue';
import { WITHOUT_GPU } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Queue.module.css';

const QueueBoard = lazy(() => import('./board/QueueBoard'));
const WhyPanel = lazy(() => import('./WhyPanel'));

const route = getRouteApi('/app/queue');
const ALL = 'all';
const NOBODY = { lanes: [], classes: [] };
const TABS = { single: 'queue.single', distributed: 'queue.distributed' } as const;

export function QueuePage() {
  const t = useT();
  const me = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queue = useQueue(search);
  const { waiting } = queue;
  const all = waiting ?? NOBODY;
  const change = (part: Partial<QueueSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => change({ lane: undefined, project: undefined, owner: undefined });
  const score = (
    <Button
      variant="default"
      leftSection={<Icon name="score" />}
      renderRoot={(props) => <Link to="/scores/$user" params={{ user: me.name }} {...props} />}
    >
      {t('queue.myScore')}
    </Button>
  );

  return (
    <Page title={t('nav.queue')} actions={score} fill>
      <TurnHelp user={me.name} />
      <Tabs
        value={search.class ?? ALL}
        onChange={(tab) => change({ class: CLASSES.find((one) => one === tab), lane: undefined })}
        className={style.tabs}
      >
        <Tabs.List>
          <Tabs.Tab value={ALL}>{t('queue.all')}</Tabs.Tab>
          {CLASSES.map((one) => (
            <Tabs.Tab key={one} value={one} rightSection={<Count of={countOf(all, { class: one }).waiting} />}>
              {t(TABS[one])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={search.class ?? ALL} className={style.panel}>
          <div className={style.bar}>
            <QueueFilters search={search} all={all} onChange={change} onReset={reset} />
            {waiting && <QueueSummary waiting={waiting} search={search} />}
          </div>
          <Holders
            model={search.lane === WITHOUT_GPU ? undefined : search.lane}
            wanted={modelsOf(waiting?.lanes ?? [], { class: search.class, gpu_model: search.lane })}
            all={!search.class}
            owner={search.owner}
          />
          {!search.class && <h2 className={ink.heading}>{t('queue.waitingNow')}</h2>}
          <div className={style.board}>
            {queue.isPending && <Skeleton rows={12} />}
            {queue.isError && !waiting && <ErrorState error={queue.error} retry={() => void queue.refetch()} />}
            {waiting && waiting.items.length === 0 && <Nothing search={search} onReset={reset} />}
            {waiting && waiting.items.length > 0 && (
              <Suspense fallback={<Skeleton rows={12} />}>
                <QueueBoard
                  waiting={waiting}
                  dimmed={queue.isPlaceholderData}
                  onShown={queue.showUpTo}
                  onWhy={(why) => change({ why })}
                  onOwner={(owner) => change({ owner: owner === me.name ? 'me' : owner })}
                />
              </Suspense>
            )}
          </div>
          {!search.class && <Everybodys search={search} onChange={change} />}
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>{search.why && <WhyPanel job={search.why} onClose={() => change({ why: undefined })} />}</Suspense>
    </Page>
  );
}

function Count({ of }: { of: number }) {
  return <span className={style.count}>{of}</span>;
}

function Nothing({ search, onReset }: { search: QueueSearch; onReset: () => void }) {
  const t = useT();
  const maySubmit = useMaySubmit();
  if (isFiltered(search)) {
    const reset = (
      <Button variant="default" onClick={onReset}>
        {t('queue.reset')}
      </Button>
    );
    return (
      <EmptyState icon="filter" title={t('queue.noMatch')} action={reset}>
        {t('queue.noMatchText')}
      </EmptyState>
    );
  }
  const submit = <Button renderRoot={(props) => <Link to="/jobs/new" {...props} />}>{t('queue.submit')}</Button>;
  return (
    <EmptyState icon="queue" title={search.class ? t('queue.noneHere') : t('queue.none')} action={maySubmit && submit}>
      {t('queue.noneText')}
    </EmptyState>
  );
}
