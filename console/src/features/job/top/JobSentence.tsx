/** The state of a job in a sentence, and all that explains it. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import type { JobDetail } from '@/api/jobs';
import { listed, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { ReasonNotice } from './ReasonNotice';
import ink from '@/ui/theme/ink.module.css';
import style from './JobTop.module.css';

// A job is in one state: what explains the others need not come with the page.
const FailureNotice = lazy(async () => ({ default: (await import('./FailureNotice')).FailureNotice }));
const InputSteps = lazy(async () => ({ default: (await import('./InputSteps')).InputSteps }));
const StartStepper = lazy(async () => ({ default: (await import('./StartStepper')).StartStepper }));
const WaitingNotice = lazy(async () => ({ default: (await import('./WaitingNotice')).WaitingNotice }));

export function JobSentence({ job }: { job: JobDetail }) {
  // Whoever watched the start keeps its steps: a line that goes away would move the page.
  const [watched, setWatched] = useState(false);
  if (job.state === 'starting' && !watched) setWatched(true);
  const neverRan = job.state === 'failed' && job.attempt > 0 && job.tasks.every((task) => task.started_at === null);
  return (
    <>
      <Sentence job={job} />
      {missesInputs(job) && (
        <Suspense fallback={<ol className={style.inputs} />}>
          <InputSteps job={job} />
        </Suspense>
      )}
      {((watched && job.state !== 'queued' && job.state !== 'created') || neverRan) && (
        <Suspense fallback={<ol className={style.steps} />}>
          <StartStepper job={job} />
        </Suspense>
      )}
    </>
  );
}

/** While they come, and where one of them could not. */
const missesInputs = ({ state, inputs, waiting, reason }: JobDetail): boolean =>
  inputs.length > 0 &&
  ((state === 'queued' && (waiting === null || waiting.code === 'inputs_pending')) ||
    (state === 'failed' && reason?.code === 'input_failed'));

function Sentence({ job }: { job: JobDetail }) {
  const t = useT();
  const nodes = [...new Set(job.tasks.map((task) => task.node).filter((node) => node !== null))];
  switch (job.state) {
    case 'created':
      return <Plain>{t('sentence.created')}</Plain>;
    case 'queued':
      return (
        <Suspense fallback={<ReasonNotice state={job.state} reason={job.waiting ?? job.reason} plain={t('sentence.queued')} />}>
          <WaitingNotice job={job} />
        </Suspense>
      );
    case 'starting':
      return (
        <Plain>
          {t('sentence.starting', { count: nodes.length, nodes: listed(nodes.slice(0, 4)), more: Math.max(0, nodes.length - 4) })}
        </Plain>
      );
    case 'running':
      return (
        <Plain>
          {job.kind === 'workspace' && job.actions.includes('exec') && <Enter job={job} />}
          {t('sentence.running', { count: nodes.length, nodes: listed(nodes.slice(0, 4)), more: Math.max(0, nodes.length - 4) })}
        </Plain>
      );
    case 'stopping':
      return <ReasonNotice state={job.state} reason={job.reason} plain={t('sentence.stopping')} />;
    case 'completed':
      return <Plain>{t('sentence.completed')}</Plain>;
    case 'failed':
      return (
        <Suspense
          fallback={<ReasonNotice state={job.state} reason={job.reason} story={job.attempts.at(-1)?.story} plain={t('sentence.failed')} />}
        >
          <FailureNotice job={job} />
        </Suspense>
      );
    case 'stopped':
      return <ReasonNotice state={job.state} reason={job.reason} plain={t('sentence.stopped')} />;
  }
}

/** A workspace prints nothing: its terminal is the way in. */
function Enter({ job }: { job: JobDetail }) {
  const t = useT();
  return (
    <Button
      size="compact-sm"
      className={style.enter}
      leftSection={<Icon name="terminal" size={14} />}
      renderRoot={(props) => <Link to="/jobs/$job" params={{ job: job.id }} search={{ tab: 'terminal' }} {...props} />}
    >
      {t('sentence.enter')}
    </Button>
  );
}

function Plain({ children }: { children: ReactNode }) {
  return <p className={ink.quiet}>{children}</p>;
}
