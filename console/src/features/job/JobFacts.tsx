/** What a job is: its size, its times, whose it is. */
import { ActionIcon, CopyButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { KIND_WORDS, sizeOf } from '@/parts/jobs/size';
import { formatBytes, formatCount } from '@/ui/format';
import { Icon } from '@/ui/icons';
import { Facts, Panel } from '@/ui/Panel';
import { Duration, Exact } from '@/ui/Time';
import style from './JobPage.module.css';

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
    ...(job.gpus > 0 ? [[t('jobs.size'), sizeOf(job, t)] as [string, ReactNode]] : []),
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

function Source({ source }: { source: NonNullable<JobDetail['cloned_from']> }) {
  return <Link to="/jobs/$job" params={{ job: source.id }}>{source.name}</Link>;
}

function Copyable({ text }: { text: string }) {
  const t = useT();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <span className={style.copyable}>
          <span className="mono">{text}</span>
          <ActionIcon size={20} aria-label={copied ? t('action.copied') : t('job.copyId')} title={copied ? t('action.copied') : t('job.copyId')} onClick={copy}>
            <Icon name={copied ? 'done' : 'copy'} size={12} />
          </ActionIcon>
        </span>
      )}
    </CopyButton>
  );
}
