/** What a job is: its size, its times, whose it is. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { dividedSize, KIND_WORDS } from '@/parts/jobs/size';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes, formatCount } from '@/ui/words/format';
import { Facts, Panel } from '@/ui/page/Panel';
import { Duration, Exact } from '@/ui/words/Time';
import style from '../JobPage.module.css';

export function JobFacts({ job }: { job: JobDetail }) {
  return (
    <Panel>
      {job.description && <p className={style.description}>{job.description}</p>}
      <Facts items={useJobFacts(job)} />
    </Panel>
  );
}

export function useJobFacts(job: JobDetail): [label: string, value: ReactNode][] {
  const t = useT();
  const facts: [string, ReactNode][] = [
    [t('fact.id'), <Copyable key="id" text={job.id} />],
    [t('jobs.owner'), job.owner],
    [t('jobs.project'), job.project],
    [t('jobs.kind'), t(KIND_WORDS[job.kind])],
    ...size(job, t),
    [t('fact.cpuMemory'), `${t('size.cpus', { count: formatCount(job.cpus) })} · ${formatBytes(job.memory)}`],
    [t('jobs.image'), job.image],
    [t('fact.priority'), job.priority],
    [t('jobs.created'), <Exact key="created" at={job.created_at} />],
  ];
  if (job.queued_at) facts.push([t('fact.waited'), <Duration key="waited" from={job.queued_at} to={job.started_at ?? job.ended_at} />]);
  if (job.started_at) facts.push([t('fact.ran'), <Duration key="ran" from={job.started_at} to={job.ended_at} />]);
  if (job.ended_at) facts.push([t('fact.ended'), <Exact key="ended" at={job.ended_at} />]);
  if (job.restarts > 0) facts.push([t('fact.restarts'), String(job.restarts)]);
  if (job.cloned_from) facts.push([t('fact.clonedFrom'), <Source key="source" source={job.cloned_from} />]);
  return facts;
}

/** CPUs and memory have a place of their own. */
function size(job: JobDetail, t: Translate): [label: string, value: string][] {
  if (job.gpus > 0) return [[t('jobs.size'), dividedSize(job, t)]];
  return job.nodes > 1 ? [[t('jobs.size'), t('size.tasks', { count: job.nodes })]] : [];
}

function Source({ source }: { source: NonNullable<JobDetail['cloned_from']> }) {
  return (
    <Link to="/jobs/$job" params={{ job: source.id }}>
      {source.name}
    </Link>
  );
}

function Copyable({ text }: { text: string }) {
  const t = useT();
  return (
    <span className={style.copyable}>
      <span className="mono">{text}</span>
      <Copy text={text} label={t('job.copyId')} size={20} />
    </span>
  );
}
