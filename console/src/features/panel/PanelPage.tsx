/** The resource panel: what is used, waited for and free, mine and everybody's, now and over weeks. */
import '@/ui/theme/kit-forms.css';
import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getResources, resourceKeys } from '@/api/resources';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { Icon } from '@/ui/icons';
import { Page, Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import { ByClass } from './ByClass';
import { ByModel } from './ByModel';
import type { PanelSearch, Scope } from './search';
import { TrendsPanel } from './TrendsPanel';
import style from './PanelPage.module.css';

const route = getRouteApi('/app/panel');

export function PanelPage() {
  const t = useT();
  useLive('nodes');
  useLive('queue');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<PanelSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const resources = useQuery({
    queryKey: resourceKeys.all,
    queryFn: ({ signal }) => getResources(signal),
    refetchInterval: pollWithoutLive,
  });
  // Of its own: what comes by itself moves no button.
  const refresh = useMutation({ mutationFn: () => resources.refetch() });
  const { data } = resources;
  const scope = search.scope ?? 'all';
  const actions = (
    <>
      {data && (
        <span className={style.age}>
          <Ago at={data.at} said="panel.asOf" />
        </span>
      )}
      <Button variant="default" leftSection={<Icon name="restart" />} loading={refresh.isPending} onClick={() => refresh.mutate()}>
        {t('panel.refresh')}
      </Button>
      <SegmentedControl
        aria-label={t('panel.scope')}
        data={[
          { value: 'all', label: t('panel.all') },
          { value: 'mine', label: t('panel.mine') },
        ]}
        value={scope}
        onChange={(value) => change({ scope: value === 'all' ? undefined : (value as Scope) })}
      />
    </>
  );
  return (
    <Page title={t('panel.title')} actions={actions}>
      {resources.isPending && <Skeleton rows={8} />}
      {resources.isError && !data && <ErrorState error={resources.error} retry={() => void resources.refetch()} />}
      {data && (
        <>
          <Panel title={t('panel.byModel')} aside={<span className={style.age}>{t('panel.inCards')}</span>} flush>
            <ByModel resources={data} scope={scope} />
          </Panel>
          <Panel title={t('panel.byClass')} aside={<span className={style.age}>{t('panel.inTasks')}</span>} flush>
            <ByClass resources={data} scope={scope} />
          </Panel>
        </>
      )}
      <TrendsPanel models={data?.gpus.map(({ model }) => model) ?? []} search={search} onChange={change} />
    </Page>
  );
}
