/** The first page: what is free, one's own jobs and why they wait, the cluster, news, and the first steps. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { getResources, resourceKeys } from '@/api/resources';
import type { Resources } from '@/api/resources';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { preferencesQuery, useChangePreferences } from '@/app/preferences';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { Skeleton } from '@/ui/page/States';
import { ClusterLoad } from './ClusterLoad';
import { FreeNow } from './FreeNow';
import { News } from './News';
import { Running } from './Running';
import { STEPS_DISMISSED } from './steps';
import { Waiting } from './Waiting';
import { Weaknesses } from './Weaknesses';
import style from './Overview.module.css';

const FirstSteps = lazy(() => import('./FirstSteps'));

export function OverviewPage() {
  const t = useT();
  const me = useMe();
  useLive('jobs');
  useLive('queue');
  useLive('nodes');
  const resources = useQuery({
    queryKey: resourceKeys.all,
    queryFn: ({ signal }) => getResources(signal),
    refetchInterval: pollWithoutLive,
  });
  const steps = useFirstSteps();
  return (
    <Page title={t('nav.overview')} heading={t('overview.hello', { name: me.display_name || me.name })} actions={steps.recall}>
      <p className={style.summary}>{resources.data ? summary(resources.data, t) : ' '}</p>
      <Weaknesses />
      {steps.panel}
      <div className={style.columns}>
        <div className={style.column}>
          <FreeNow resources={resources} />
          <Running />
          <Waiting />
        </div>
        <div className={style.column}>
          <News />
          <ClusterLoad resources={resources} />
        </div>
      </div>
    </Page>
  );
}

function summary({ gpus, mine }: Resources, t: Translate): string {
  const free = gpus.reduce((sum, model) => sum + model.free, 0);
  const total = gpus.reduce((sum, model) => sum + model.total, 0);
  const room = total > 0 ? t('overview.summaryFree', { free: formatCount(free), total: formatCount(total) }) : t('overview.summaryNoGpus');
  return t('overview.summary', { room, mine: t('overview.summaryMine', { running: mine.running, queued: mine.queued }) });
}

/** Open until they are done or put away; a button brings them back. */
function useFirstSteps() {
  const t = useT();
  const preferences = useQuery(preferencesQuery);
  const change = useChangePreferences();
  const [recalled, setRecalled] = useState(false);
  // For this visit they are gone even if the server could not take note.
  const [isGone, setIsGone] = useState(false);
  const dismissed = preferences.data?.dismissed ?? [];
  const isDismissed = isGone || dismissed.includes(STEPS_DISMISSED);
  const dismiss = () => {
    setRecalled(false);
    setIsGone(true);
    if (!isDismissed) change((kept) => ({ dismissed: [...new Set([...kept.dismissed, STEPS_DISMISSED])] }));
  };
  return {
    panel: (recalled || (preferences.isSuccess && !isDismissed)) && (
      <Suspense fallback={<StepsSpace />}>
        <FirstSteps space={<StepsSpace />} recalled={recalled} onDismiss={dismiss} />
      </Suspense>
    ),
    recall: isDismissed && !recalled && (
      <Button variant="subtle" color="gray" leftSection={<Icon name="bulb" />} onClick={() => setRecalled(true)}>
        {t('steps.title')}
      </Button>
    ),
  };
}

/** Holds the place of the steps, so that nothing jumps when they are there. */
function StepsSpace() {
  return (
    <div className={style.stepsSpace}>
      <Skeleton rows={6} />
    </div>
  );
}
