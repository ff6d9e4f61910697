/** The columns of the job table: plain cells only, since thousands may be drawn. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JobRow } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import type { Column } from '@/ui/DataTable';
import { Icon } from '@/ui/icons';
import { JobStatus } from '@/ui/Status';
import { Ago, Duration } from '@/ui/Time';
import { isActive } from './actions';
import type { OpenMenu } from './RowMenu';
import { KIND_WORDS, sizeOf } from './size';
import style from './Jobs.module.css';

export function useJobColumns(onMenu: (open: OpenMenu) => void): Column<JobRow>[] {
  const t = useT();
  const say = useSentence();
  return useMemo<Column<JobRow>[]>(() => [
    {
      id: 'name',
      header: t('jobs.name'),
      sort: 'name',
      width: '19%',
      cell: (job) => (
        <Link to="/jobs/$job" params={{ job: job.id }} className={style.name} title={job.name} data-row-link>
          {job.name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      sort: 'state',
      cell: (job) => (
        <span className={style.state}>
          <JobStatus state={job.state} reason={job.reason?.code} />
          {job.reason && job.state !== 'completed' && <span className={style.why} title={say(job.reason.text)}>{say(job.reason.text)}</span>}
        </span>
      ),
    },
    { id: 'size', header: t('jobs.size'), width: '134px', hideBelow: 'phone', cell: (job) => sizeOf(job, t) },
    { id: 'owner', header: t('jobs.owner'), width: '84px', hideBelow: 'phone', cell: (job) => job.owner },
    { id: 'project', header: t('jobs.project'), width: '88px', hideBelow: 'tablet', cell: (job) => job.project },
    { id: 'kind', header: t('jobs.kind'), width: '104px', hideBelow: 'tablet', cell: (job) => t(KIND_WORDS[job.kind]) },
    { id: 'image', header: t('jobs.image'), width: '120px', hideBelow: 'desktop', cell: (job) => <span title={job.image}>{job.image}</span> },
    { id: 'time', header: t('jobs.time'), width: '100px', align: 'right', hideBelow: 'phone', cell: (job) => <RunTime job={job} /> },
    { id: 'created', header: t('jobs.created'), sort: 'created', width: '112px', align: 'right', hideBelow: 'phone', cell: (job) => <Ago at={job.created_at} /> },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '52px',
      cell: (job) => (
        <button
          type="button"
          className={style.menuButton}
          aria-label={t('jobs.actionsFor', { name: job.name })}
          aria-haspopup="menu"
          onClick={(event) => onMenu({ job, button: event.currentTarget })}
        >
          <Icon name="more" />
        </button>
      ),
    },
  ], [t, say, onMenu]);
}

/** How long it ran, or has been waiting. */
function RunTime({ job }: { job: JobRow }) {
  if (job.started_at && !(job.state === 'queued')) return <Duration from={job.started_at} to={isActive(job.state) ? null : job.ended_at} />;
  if (job.queued_at && job.state === 'queued') return <span className={style.quiet}><Duration from={job.queued_at} /></span>;
  return <span className={style.quiet}>–</span>;
}
