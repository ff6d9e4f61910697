/** What is said of a job: its size, its times, whose it is; and of one try to run it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Attempt, JobDetail } from '@/api/jobs';
import { useLocale, useSentence, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { splitRef } from '@/parts/datasets/reference';
import { frameworkName } from '@/parts/jobs/frameworks';
import { dividedSize, KIND_WORDS } from '@/parts/jobs/size';
import { parseTime } from '@/parts/quantities';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes, formatCount, formatDuration } from '@/ui/words/format';
import { JobStatus } from '@/ui/words/Status';
import { Duration, Exact } from '@/ui/words/Time';
import style from '../JobPage.module.css';

export function useJobFacts(job: JobDetail): [label: string, value: ReactNode][] {
  const t = useT();
  const facts: [string, ReactNode][] = [
    [t('fact.id'), <Copyable key="id" text={job.id} />],
    [t('jobs.owner'), job.owner],
    [t('jobs.project'), job.project],
    [t('jobs.kind'), t(KIND_WORDS[job.kind])],
    ...size(job, t),
    [t('fact.cpuMemory'), `${t('size.cpus', { count: formatCount(job.cpus) })} · ${formatBytes(job.memory)}`],
    ...framework(job, t),
    [t('jobs.image'), job.image],
    ...datasets(job, t),
    ...inputs(job, t),
    [t('fact.priority'), job.priority],
    [t('jobs.created'), <Exact key="created" at={job.created_at} />],
  ];
  if (job.queued_at) facts.push([t('fact.waited'), <Duration key="waited" from={job.queued_at} to={job.started_at ?? job.ended_at} />]);
  if (job.started_at) facts.push([t('fact.ran'), <Duration key="ran" from={job.started_at} to={job.ended_at} />]);
  if (job.ended_at) facts.push([t('fact.ended'), <Exact key="ended" at={job.ended_at} />]);
  for (const [word, time] of [
    ['fact.expected', job.spec.expected_time],
    ['fact.atMost', job.spec.max_time],
  ] as const) {
    const span = parseTime(time);
    if (span !== null) facts.push([t(word), formatDuration(span / 1000, t)]);
  }
  if (job.restarts > 0) facts.push([t('fact.restarts'), String(job.restarts)]);
  if (job.cloned_from) facts.push([t('fact.clonedFrom'), <Source key="source" source={job.cloned_from} />]);
  return facts;
}

/** Of an earlier try: when, how it ended, from where to where it came. */
export function useAttemptFacts({ state, reason, story, started_at: started, ended_at: ended, saved }: Attempt): [string, ReactNode][] {
  const t = useT();
  const say = useSentence();
  const locale = useLocale();
  const told = story ?? reason?.text;
  const facts: [string, ReactNode][] = [[t('jobs.state'), <JobStatus key="state" state={state} reason={reason?.code} />]];
  if (started) facts.push([t('fact.began'), <Exact key="began" at={started} />]);
  if (started) facts.push([t('fact.ran'), <Duration key="ran" from={started} to={ended} />]);
  if (ended) facts.push([t('fact.ended'), <Exact key="ended" at={ended} />]);
  if (saved?.step != null) facts.push([t('fact.saved'), saved.step.toLocaleString(locale)]);
  if (told) facts.push([t('fact.reason'), say(told)]);
  return facts;
}

function framework({ framework: name, strategy }: JobDetail, t: Translate): [label: string, value: string][] {
  return name === 'none' ? [] : [[t('fact.framework'), [frameworkName(name), strategy].filter(Boolean).join(' · ')]];
}

/** The versions that its tasks read, under their full names: those of the job file are said from its owner's side. */
function datasets({ owner, spec }: JobDetail, t: Translate): [label: string, value: ReactNode][] {
  const refs = ((spec.mounts ?? []) as { dataset?: string }[]).flatMap(({ dataset }) => dataset ?? []);
  if (refs.length === 0) return [];
  const links = refs.map((ref) => {
    const [name, version] = splitRef(ref);
    const dataset = name.includes(':') ? name : `${owner}:${name}`;
    return (
      <Link key={ref} className={style.dataset} to="/datasets/$dataset" params={{ dataset }} search={{ tab: 'files', version }}>
        {ref}
      </Link>
    );
  });
  return [[t('fact.datasets'), links]];
}

/** What was fetched into volumes before it started. */
function inputs({ inputs: all }: JobDetail, t: Translate): [label: string, value: ReactNode][] {
  if (all.length === 0) return [];
  const ways = [...new Set(all.map(({ source, target }) => `${source} → ${target}`))];
  return [
    [
      t('fact.inputs'),
      ways.map((way) => (
        <span key={way} className={style.dataset}>
          {way}
        </span>
      )),
    ],
  ];
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
