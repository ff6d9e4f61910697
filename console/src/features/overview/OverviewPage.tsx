/** The first page: one's own jobs and why they wait, what became of others, what is free, the cluster, and the first steps. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { getResources, resourceKeys } from '@/api/resources';
import { STEPS_DISMISSED } from '@/app/first-steps';
import { useT } from '@/app/i18n';
import { preferencesQuery, useChangePreferences } from '@/app/preferences';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { Skeleton } from '@/ui/page/States';
import { ClusterLoad } from './ClusterLoad';
import { FreeNow } from './FreeNow';
import { News } from './News';
import { Running } from './Running';
import { Waiting } from './Waiting';
import { Weaknesses } from './Weaknesses';
import style from './Overview.module.css';

const FIRST_DAY_MS = 86_400_000;
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
  // After the first day one's work comes first.
  const [isNew] = useState(() => Date.now() - Date.parse(me.created_at) < FIRST_DAY_MS);
  return (
    <Page title={t('nav.overview')} heading={t('overview.hello', { name: me.display_name || me.name })} actions={steps.recall}>
      <Weaknesses />
      {isNew && steps.panel}
      <div className={style.columns}>
        <div className={style.column}>
          <Running />
          <Waiting />
          <FreeNow resources={resources} />
        </div>
        <div className={style.column}>
          <News />
          <ClusterLoad resources={resources} />
        </div>
      </div>
      {!isNew && steps.panel}
    </Page>
  );
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
