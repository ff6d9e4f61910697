/** Up to ten jobs beside each other: their metrics in one chart each, and what their files say. */
import '@/ui/theme/kit-forms.css';
import { ActionIcon, Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { LogScale, Smoothing } from '@/parts/metrics/Smoothing';
import { Icon } from '@/ui/icons';
import { Notice, Page, Panel } from '@/ui/page/Panel';
import { EmptyState, Skeleton } from '@/ui/page/States';
import { seriesToken } from '@/ui/theme/palette';
import { JobStatus } from '@/ui/words/Status';
import { Duration } from '@/ui/words/Time';
import { Curves } from './Curves';
import { Parameters } from './Parameters';
import type { CompareSearch } from './search';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Compare.module.css';

const route = getRouteApi('/app/compare');

export function ComparePage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<CompareSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
  const asked = search.job ?? [];
  const answers = useQueries({
    queries: asked.map((id) => ({
      queryKey: jobKeys.detail(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => getJob(id, signal),
      refetchInterval: pollWithoutLive,
    })),
  });
  const jobs = answers.flatMap(({ data }) => (data ? [data] : []));
  const missing = asked.filter((_, at) => answers[at]!.isError && !answers[at]!.data);
  const drop = (id: string) => change({ job: asked.filter((_, at) => answers[at]!.data?.id !== id) });
  return (
    <Page title={t('compare.title')} trail={[{ label: t('nav.jobs'), to: '/jobs' }]}>
      {missing.length > 0 && <Notice tone="amber" icon="warning" title={t('compare.missing', { names: missing.join(', ') })} />}
      {answers.some(({ isPending }) => isPending) && <Skeleton rows={6} />}
      {asked.length < 2 && <TooFew />}
      {jobs.length > 0 && asked.length > 1 && (
        <>
          <Compared jobs={jobs} onDrop={jobs.length > 2 ? drop : undefined} />
          <div className={layout.row} role="toolbar" aria-label={t('compare.controls')}>
            <LogScale on={search.scale === 'log'} onChange={(on) => change({ scale: on ? 'log' : undefined })} />
            <Smoothing value={search.smooth ?? 0} onChange={(smooth) => change({ smooth: smooth || undefined })} />
          </div>
          <Curves jobs={jobs} search={search} />
          <Parameters jobs={jobs} />
        </>
      )}
    </Page>
  );
}

function TooFew() {
  const t = useT();
  const action = (
    <Button variant="default" renderRoot={(props) => <Link to="/jobs" {...props} />}>
      {t('notFound.back')}
    </Button>
  );
  return (
    <EmptyState icon="chart" title={t('compare.few')} action={action}>
      {t('compare.fewText')}
    </EmptyState>
  );
}

function Compared({ jobs, onDrop }: { jobs: JobDetail[]; onDrop: ((id: string) => void) | undefined }) {
  const t = useT();
  return (
    <Panel flush>
      <ul className={style.jobs} aria-label={t('compare.jobs')}>
        {jobs.map((job, at) => (
          <li key={job.id}>
            <span className={style.swatch} style={{ background: `var(--${seriesToken(at)})` }} />
            <Link className={ink.link} to="/jobs/$job" params={{ job: job.id }}>
              {titleOf(job)}
            </Link>
            <JobStatus state={job.state} reason={job.reason?.code} />
            <span className={ink.fine}>
              {job.owner}
              {job.started_at && (
                <>
                  {' · '}
                  <Duration from={job.started_at} to={job.ended_at} />
                </>
              )}
            </span>
            {onDrop && (
              <ActionIcon
                aria-label={t('compare.drop', { name: titleOf(job) })}
                title={t('compare.drop', { name: titleOf(job) })}
                onClick={() => onDrop(job.id)}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
