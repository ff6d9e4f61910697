/** One job: its state and why, what it is, its logs, metrics, tasks, attempts, events, plots, a terminal, its file. */
import '@/ui/theme/kit-tabs.css';
import '@/ui/theme/kit-forms.css';
import { Button, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { getJob, jobKeys } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import type { MessageKey } from '@/app/i18n';
import { training, useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useShortcut } from '@/app/shortcuts';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { JobFacts } from './top/JobFacts';
import { JobActions, JobHeading } from './top/JobHead';
import { JobSentence } from './top/JobSentence';
import { LogPanel } from './logs/LogPanel';
import { JOB_TABS, jobSearch } from './search';
import type { JobSearch, JobTab } from './search';
import style from './JobPage.module.css';

const CheckpointLine = lazy(async () => ({ default: (await training(() => import('./training/CheckpointLine'))).CheckpointLine }));
const MetricsPanel = lazy(async () => ({ default: (await training(() => import('./training/MetricsPanel'))).MetricsPanel }));
const FilesPanel = lazy(async () => ({ default: (await training(() => import('./files/FilesPanel'))).FilesPanel }));
const TaskTable = lazy(async () => ({ default: (await training(() => import('./training/TaskTable'))).TaskTable }));
const AttemptList = lazy(async () => ({ default: (await training(() => import('./training/AttemptList'))).AttemptList }));
const StacksPanel = lazy(async () => ({ default: (await training(() => import('./training/StacksPanel'))).StacksPanel }));
const EventTimeline = lazy(async () => ({ default: (await import('./EventTimeline')).EventTimeline }));
const PlotsPanel = lazy(async () => ({ default: (await import('./PlotsPanel')).PlotsPanel }));
const TerminalPanel = lazy(async () => ({ default: (await import('./TerminalPanel')).TerminalPanel }));
const SpecView = lazy(() => training(() => import('./training/SpecView')));
const PrintSheet = lazy(() => import('./PrintSheet'));
const route = getRouteApi('/app/jobs/$job');

const TAB_WORDS: Record<JobTab, MessageKey> = {
  logs: 'tab.logs',
  metrics: 'tab.metrics',
  files: 'tab.files',
  tasks: 'tab.tasks',
  attempts: 'tab.attempts',
  events: 'tab.events',
  plots: 'tab.plots',
  stacks: 'tab.stacks',
  terminal: 'tab.terminal',
  spec: 'tab.spec',
};

export function JobPage() {
  const t = useT();
  const { job: id } = route.useParams();
  const job = useQuery({ queryKey: jobKeys.detail(id), queryFn: ({ signal }) => getJob(id, signal), refetchInterval: pollWithoutLive });
  useOwnAddress(id, job.data);
  useLive(`job:${job.data?.id ?? id}`);

  // What was known of a job that is gone must not look as if it could still be used.
  if (job.data && !isGone(job.error)) return <Loaded key={job.data.id} job={job.data} />;
  return (
    <Page title={t('job.title')} trail={[{ label: t('nav.jobs'), to: '/jobs' }]}>
      <JobMissing error={job.error} name={job.data?.name} retry={() => void job.refetch()} />
    </Page>
  );
}

/** An address may hold the job's name; news and links speak of its id. */
function useOwnAddress(given: string, job: JobDetail | undefined): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    if (!job || job.id === given) return;
    client.setQueryData(jobKeys.detail(job.id), job);
    void navigate({ to: '/jobs/$job', params: { job: job.id }, search: (old) => jobSearch(old), replace: true, resetScroll: false });
  }, [client, navigate, given, job]);
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** `name`: of a job that was on the page a moment ago. */
function JobMissing({ error, name, retry }: { error: unknown; name: string | undefined; retry: () => void }) {
  const t = useT();
  if (!error) return <Skeleton />;
  if (isGone(error)) {
    const action = (
      <Button variant="default" renderRoot={(props) => <Link to="/jobs" {...props} />}>
        {t('job.toJobs')}
      </Button>
    );
    return (
      <EmptyState icon="search" title={name === undefined ? t('job.missing') : t('job.deleted', { name })} action={action}>
        {name === undefined && t('job.missingText')}
      </EmptyState>
    );
  }
  return <ErrorState error={error} retry={retry} />;
}

function Loaded({ job }: { job: JobDetail }) {
  const t = useT();
  const search = route.useSearch();
  const navigate = useNavigate();
  const [printing, setPrinting] = useState(false);
  const { id } = job;
  const change = useCallback(
    (part: Partial<JobSearch>) =>
      void navigate({
        to: '/jobs/$job',
        params: { job: id },
        search: (old) => ({ ...jobSearch(old), ...part }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, id],
  );
  const open = useCallback((tab: JobTab, task: string) => change({ tab, task, line: undefined }), [change]);
  const print = useCallback(() => setPrinting(true), []);
  const printed = useCallback(() => setPrinting(false), []);
  useShortcut('mod+p', t('job.print'), (event) => {
    event.preventDefault();
    print();
  });
  const tab = search.tab ?? 'logs';
  return (
    <Page
      title={job.name}
      trail={[{ label: t('nav.jobs'), to: '/jobs' }]}
      heading={<JobHeading job={job} />}
      actions={<JobActions job={job} onPrint={print} />}
      fill
    >
      <JobSentence job={job} />
      {job.saved && (
        <Suspense fallback={<p className={style.lineToCome} />}>
          <CheckpointLine saved={job.saved} />
        </Suspense>
      )}
      <JobFacts job={job} />
      <Tabs value={tab} onChange={(next) => change({ tab: (next ?? 'logs') as JobTab })} keepMounted={false} className={style.tabs}>
        <Tabs.List aria-label={t('job.parts')} className={style.tabList}>
          {JOB_TABS.filter((name) => name === tab || hasPart(name, job)).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(TAB_WORDS[name])}
              {(COUNTS[name]?.(job) ?? 0) > 1 && <span className={style.count}>{COUNTS[name]!(job)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={style.panel}>
          <Suspense fallback={<Skeleton />}>
            <Part tab={tab} job={job} search={search} onChange={change} onOpen={open} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      {printing && (
        <Suspense fallback={null}>
          <PrintSheet job={job} onDone={printed} />
        </Suspense>
      )}
    </Page>
  );
}

const COUNTS: Partial<Record<JobTab, (job: JobDetail) => number>> = {
  tasks: ({ tasks }) => tasks.length,
  attempts: ({ attempts }) => attempts.length,
};

/** Some parts are worth their room only with some jobs. */
function hasPart(tab: JobTab, job: JobDetail): boolean {
  if (tab === 'metrics') return job.kind === 'training';
  if (tab === 'stacks') return job.state === 'running' || job.attempts.some(({ reason }) => reason?.code === 'hung');
  return true;
}

interface PartProps {
  tab: JobTab;
  job: JobDetail;
  search: JobSearch;
  onChange: (part: Partial<JobSearch>) => void;
  onOpen: (tab: JobTab, task: string) => void;
}

function Part({ tab, job, search, onChange, onOpen }: PartProps) {
  switch (tab) {
    case 'logs':
      return <LogPanel job={job} search={search} onChange={onChange} />;
    case 'metrics':
      return <MetricsPanel job={job} search={search} onChange={onChange} />;
    case 'files':
      return <FilesPanel job={job} task={search.task} />;
    case 'tasks':
      return <TaskTable job={job} onOpen={onOpen} />;
    case 'attempts':
      return <AttemptList job={job} />;
    case 'events':
      return <EventTimeline job={job.id} about={search.about} onAbout={(about) => onChange({ about })} />;
    case 'plots':
      return <PlotsPanel job={job} search={search} onChange={onChange} />;
    case 'stacks':
      return <StacksPanel job={job} />;
    case 'terminal':
      return <TerminalPanel job={job} task={search.task} onTask={(task) => onChange({ task })} />;
    case 'spec':
      return <SpecView job={job} comparing={search.compare === 'on'} onCompare={(on) => onChange({ compare: on ? 'on' : undefined })} />;
  }
}
