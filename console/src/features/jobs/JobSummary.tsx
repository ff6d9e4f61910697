/** The top of a job's page: name and state, the sentence that explains it, actions, facts. */
import { ActionIcon, Button, CopyButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobDetail, Reason } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { Facts, Notice, Panel } from '@/ui/Panel';
import { JobStatus, jobTone } from '@/ui/Status';
import { Duration, Exact } from '@/ui/Time';
import { formatBytes, formatCount } from '@/ui/format';
import { LOOKS, offered } from './actions';
import { useJobActions } from './useJobActions';
import { KIND_WORDS, sizeOf } from './size';
import style from './JobPage.module.css';

export function JobHeading({ job }: { job: JobDetail }) {
  return (
    <span className={style.heading}>
      {job.name}
      <JobStatus state={job.state} reason={job.reason?.code} pill />
    </span>
  );
}

export function JobActions({ job }: { job: JobDetail }) {
  const t = useT();
  const navigate = useNavigate();
  const { run, dialogs } = useJobActions({ onDeleted: () => void navigate({ to: '/jobs' }) });
  return (
    <>
      {offered(job.actions, job.state).map((action) => (
        <Button
          key={action}
          variant={action === 'start' ? 'filled' : 'default'}
          leftSection={<Icon name={LOOKS[action].icon} size={14} />}
          className={action === 'delete' ? style.danger : undefined}
          onClick={() => run(action, job)}
        >
          {t(LOOKS[action].label)}
        </Button>
      ))}
      {dialogs}
    </>
  );
}

/** Why the job is in its state, what that means and what to do. */
export function JobSentence({ job }: { job: JobDetail }) {
  const t = useT();
  const reason = job.state === 'queued' ? (job.waiting ?? job.reason) : job.reason;
  const nodes = [...new Set(job.tasks.map((task) => task.node).filter((node) => node !== null))];
  switch (job.state) {
    case 'created':
      return <Sentence>{t('sentence.created')}</Sentence>;
    case 'queued':
      return <ReasonNotice tone={job.state} reason={reason} plain={t('sentence.queued')} />;
    case 'starting':
      return <Sentence>{t('sentence.starting', { count: nodes.length, nodes: nodes.join(', ') })}<Steps job={job} /></Sentence>;
    case 'running':
      return <Sentence>{t('sentence.running', { count: nodes.length, nodes: nodes.slice(0, 4).join(', '), more: Math.max(0, nodes.length - 4) })}</Sentence>;
    case 'stopping':
      return <ReasonNotice tone={job.state} reason={reason} plain={t('sentence.stopping')} />;
    case 'completed':
      return <Sentence>{t('sentence.completed')}</Sentence>;
    case 'failed':
    case 'stopped':
      return <ReasonNotice tone={job.state} reason={reason} plain={job.state === 'failed' ? t('sentence.failed') : t('sentence.stopped')} />;
  }
}

function Sentence({ children }: { children: ReactNode }) {
  return <p className={style.sentence}>{children}</p>;
}

/** What the tasks are busy with before they run: fetching code, pulling the image… */
function Steps({ job }: { job: JobDetail }) {
  const steps = [...new Set(job.tasks.map((task) => task.step).filter((step) => step !== null))];
  return steps.length > 0 ? <span className={style.steps}> · {steps.join(' · ')}</span> : null;
}

function ReasonNotice({ tone, reason, plain }: { tone: JobDetail['state']; reason: Reason | null; plain: string }) {
  const say = useSentence();
  const icon = tone === 'failed' ? 'failed' : tone === 'queued' ? 'queued' : 'info';
  if (!reason) return <Notice tone={jobTone(tone)} icon={icon} title={plain} />;
  return (
    <Notice tone={jobTone(tone)} icon={icon} title={say(reason.text)}>
      {say(reason.meaning) && <p>{say(reason.meaning)}</p>}
      {say(reason.advice) && (
        <p className={style.advice}>
          <Icon name="bulb" />
          {say(reason.advice)}
        </p>
      )}
    </Notice>
  );
}

export function JobFacts({ job }: { job: JobDetail }) {
  const t = useT();
  const facts: [string, ReactNode][] = [
    [t('fact.id'), <Copyable key="id" text={job.id} />],
    [t('jobs.owner'), job.owner],
    [t('jobs.project'), job.project],
    [t('jobs.kind'), t(KIND_WORDS[job.kind])],
    [t('jobs.size'), sizeOf(job, t)],
    [t('fact.cpuMemory'), `${t('size.cpus', { count: formatCount(job.cpus) })} · ${formatBytes(job.memory)}`],
    [t('jobs.image'), job.image],
    [t('fact.priority'), job.priority],
    [t('jobs.created'), <Exact key="created" at={job.created_at} />],
  ];
  if (job.queued_at) facts.push([t('fact.waited'), <Duration key="waited" from={job.queued_at} to={job.started_at ?? job.ended_at} />]);
  if (job.started_at) facts.push([t('fact.ran'), <Duration key="ran" from={job.started_at} to={job.ended_at} />]);
  if (job.ended_at) facts.push([t('fact.ended'), <Exact key="ended" at={job.ended_at} />]);
  if (job.restarts > 0) facts.push([t('fact.restarts'), String(job.restarts)]);
  return (
    <Panel>
      {job.description && <p className={style.description}>{job.description}</p>}
      <Facts items={facts} />
    </Panel>
  );
}

function Copyable({ text }: { text: string }) {
  const t = useT();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <span className={style.copyable}>
          <span className="mono">{text}</span>
          <ActionIcon size={20} aria-label={copied ? t('action.copied') : t('action.copy')} title={copied ? t('action.copied') : t('action.copy')} onClick={copy}>
            <Icon name={copied ? 'done' : 'copy'} size={12} />
          </ActionIcon>
        </span>
      )}
    </CopyButton>
  );
}
