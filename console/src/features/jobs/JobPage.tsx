/** One job: its state and why, what it is, its tasks, logs, events and file. */
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { getJob } from '@/api/jobs';
import { keys } from '@/api/keys';
import { ApiError } from '@/api/problem';
import type { JobDetail } from '@/api/types';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { Page } from '@/ui/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/States';
import { EventTimeline } from './EventTimeline';
import { JobActions, JobFacts, JobHeading, JobSentence } from './JobSummary';
import { LogPanel } from './LogPanel';
import { JOB_TABS } from './search';
import type { JobSearch, JobTab } from './search';
import { TaskTable } from './TaskTable';
import style from './JobPage.module.css';

const SpecView = lazy(() => import('./SpecView'));
const route = getRouteApi('/app/jobs/$job');

const TAB_WORDS: Record<JobTab, MessageKey> = { logs: 'tab.logs', tasks: 'tab.tasks', events: 'tab.events', spec: 'tab.spec' };

export function JobPage() {
  const t = useT();
  const { job: id } = route.useParams();
  const job = useQuery({ queryKey: keys.jobDetail(id), queryFn: ({ signal }) => getJob(id, signal), refetchInterval: pollWithoutLive });
  // The address may hold a name; events speak of the id.
  useLive(`job:${job.data?.id ?? id}`);

  if (job.data) return <Loaded job={job.data} />;
  return (
    <Page title={t('job.title')}>
      <JobMissing error={job.error} retry={() => void job.refetch()} />
    </Page>
  );
}

function JobMissing({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT();
  if (!error) return <Skeleton />;
  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState icon="search" title={t('job.missing')}>{t('job.missingText')}</EmptyState>;
  }
  return <ErrorState error={error} retry={retry} />;
}

function Loaded({ job }: { job: JobDetail }) {
  const t = useT();
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (part: Partial<JobSearch>) =>
    void navigate({ to: '/jobs/$job', params: { job: job.id }, search: { ...search, ...part }, replace: true });
  const tab = search.tab ?? 'logs';
  return (
    <Page title={job.name} heading={<JobHeading job={job} />} actions={<JobActions job={job} />} fill>
      <JobSentence job={job} />
      <JobFacts job={job} />
      <Tabs value={tab} onChange={(next) => change({ tab: (next ?? 'logs') as JobTab })} keepMounted={false} className={style.tabs}>
        <Tabs.List aria-label={t('job.parts')}>
          {JOB_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(TAB_WORDS[name])}
              {name === 'tasks' && job.tasks.length > 1 && <span className={style.count}>{job.tasks.length}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="logs" className={style.panel}><LogPanel job={job} search={search} onChange={change} /></Tabs.Panel>
        <Tabs.Panel value="tasks" className={style.panel}>
          <TaskTable job={job} onLogs={(task) => change({ tab: 'logs', task, attempt: undefined })} />
        </Tabs.Panel>
        <Tabs.Panel value="events" className={style.panel} tabIndex={0}><EventTimeline job={job.id} /></Tabs.Panel>
        <Tabs.Panel value="spec" className={style.panel}>
          <Suspense fallback={<Skeleton />}><SpecView job={job} /></Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
