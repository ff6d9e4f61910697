/** One job: its state and why, its log and charts, and beside them what it is. */
import '@/ui/theme/kit-tabs.css';
import '@/ui/theme/kit-forms.css';
import { Button, SegmentedControl, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { getJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useShortcut } from '@/app/shortcuts';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { AttemptChoice } from './top/AttemptChoice';
import { JobActions, JobHeading } from './top/JobHead';
import { JobProgress } from './top/JobProgress';
import { JobRail, RailToggle, useRail } from './top/JobRail';
import { JobSentence } from './top/JobSentence';
import { PARTS, tabsFor } from './parts';
import type { PartProps } from './parts';
import { jobSearch } from './search';
import type { JobSearch, JobTab } from './search';
import style from './JobPage.module.css';

const PrintSheet = lazy(() => import('./PrintSheet'));
const route = getRouteApi('/app/jobs/$job');

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
  const rail = useRail();
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
  return (
    <Page
      title={titleOf(job)}
      trail={[{ label: t('nav.jobs'), to: '/jobs' }]}
      heading={<JobHeading job={job} />}
      actions={<JobActions job={job} onPrint={print} />}
      fill
    >
      <div className={style.status}>
        <JobSentence job={job} />
        <JobProgress job={job} />
      </div>
      <div className={style.body}>
        <Parts job={job} search={search} onChange={change} onOpen={open} rail={rail} />
        {rail.open && <JobRail job={job} attempt={search.attempt} />}
      </div>
      {printing && (
        <Suspense fallback={null}>
          <PrintSheet job={job} onDone={printed} />
        </Suspense>
      )}
    </Page>
  );
}

function Parts({ rail, ...props }: PartProps & { rail: ReturnType<typeof useRail> }) {
  const t = useT();
  const { job, search, onChange } = props;
  const shown = search.tab ?? 'logs';
  const tabs = tabsFor(job, shown);
  const tab = tabs.find(({ parts }) => parts.includes(shown))!;
  const { Show } = PARTS[shown];
  const show = (next: string | null) => onChange({ tab: (next ?? 'logs') as JobTab });
  return (
    <Tabs value={tab.parts[0]!} onChange={show} keepMounted={false} className={style.tabs}>
      <div className={style.bar}>
        <Tabs.List aria-label={t('job.parts')} className={style.tabList}>
          {tabs.map(({ word, parts: [first] }) => (
            <Tabs.Tab key={first} value={first!}>
              {t(word)}
              <Count of={PARTS[first!].count?.(job)} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={style.tools}>
          <AttemptChoice job={job} attempt={search.attempt} onChange={(attempt) => onChange({ attempt, line: undefined })} />
          <RailToggle {...rail} />
        </div>
      </div>
      <Tabs.Panel value={tab.parts[0]!} className={style.panel}>
        {tab.parts.length > 1 && (
          <div className={style.choice}>
            <SegmentedControl
              size="xs"
              aria-label={t('job.partsOf', { tab: t(tab.word) })}
              value={shown}
              onChange={show}
              data={tab.parts.map((name) => ({ value: name, label: <Choice job={job} name={name} /> }))}
            />
          </div>
        )}
        <Suspense fallback={<Skeleton />}>
          <Show {...props} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

function Choice({ job, name }: { job: JobDetail; name: JobTab }) {
  const t = useT();
  return (
    <>
      {t(PARTS[name].word)}
      <Count of={PARTS[name].count?.(job)} />
    </>
  );
}

/** One goes without saying. */
function Count({ of = 0 }: { of: number | undefined }) {
  return of > 1 && <span className={style.count}>{of}</span>;
}
