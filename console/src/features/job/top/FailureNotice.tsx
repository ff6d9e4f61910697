/** Why a job failed, the last words of the task that did, and what to try. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import type { JobDetail, Task } from '@/api/jobs';
import { logKeys, tailLog } from '@/api/logs';
import { useLocale, useT } from '@/app/i18n';
import { moreMemory } from '@/parts/jobs/changes';
import { useJobActions } from '@/parts/jobs/useJobActions';
import { stripAnsi } from '@/ui/log/ansi';
import { Icon } from '@/ui/icons';
import { tellsOfFailure } from '@/ui/log/log-lines';
import type { Line } from '@/ui/log/log-lines';
import { ReasonNotice } from './ReasonNotice';
import { fromPage } from '../logs/task-log';
import ink from '@/ui/theme/ink.module.css';
import style from './JobTop.module.css';

const LAST_LINES = 20;
/** Reasons that more memory would have spared. */
const NEEDS_MEMORY = new Set(['out_of_memory', 'memory_short', 'killed', 'loader_killed']);

/** Reasons that starting again meets again: what the job asks for must change. */
const WANTS_EDIT = new Set([
  'command_not_found',
  'environment_failed',
  'file_missing',
  'library_missing',
  'module_missing',
  'no_code',
  'wrong_arguments',
  'wrong_syntax',
]);

export function FailureNotice({ job }: { job: JobDetail }) {
  const t = useT();
  const task = failedTask(job);
  const clone = job.actions.includes('clone');
  const { run, dialogs } = useJobActions();
  const changes = job.reason !== null && NEEDS_MEMORY.has(job.reason.code) ? moreMemory(job.spec, task?.role) : [];
  const editFirst = job.reason !== null && WANTS_EDIT.has(job.reason.code);
  const again = job.actions.includes('start') && <StartAgain job={job} onStart={(fresh) => run('start', job, fresh)} />;
  return (
    <ReasonNotice state={job.state} reason={job.reason} story={job.attempts.at(-1)?.story} plain={t('sentence.failed')}>
      {task && <LastLines job={job} task={task} />}
      {job.reason?.code === 'hung' && (
        <p className={style.part}>
          <Link to="/jobs/$job" params={{ job: job.id }} search={{ tab: 'stacks' }}>
            {t('failed.stacks')}
          </Link>
        </p>
      )}
      {(clone || job.actions.includes('edit') || job.actions.includes('start')) && (
        <div className={style.tries}>
          <h2>{t('failed.try')}</h2>
          {!editFirst && again}
          {job.actions.includes('edit') && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
              renderRoot={(props) => <Link to="/jobs/$job/edit" params={{ job: job.id }} {...props} />}
            >
              {t('failed.edit')}
            </Button>
          )}
          {clone && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="copy" size={14} />}
              renderRoot={(props) => (
                <Link to="/jobs/new" search={{ from: job.id, ...(changes.length > 0 && { set: changes }) }} {...props} />
              )}
            >
              {changes.length > 0 ? t('failed.cloneMemory') : t('failed.clone')}
            </Button>
          )}
          {editFirst && again}
        </div>
      )}
      {dialogs}
    </ReasonNotice>
  );
}

/** From its checkpoint, where it has one, or from the beginning. */
function StartAgain({ job: { saved }, onStart }: { job: JobDetail; onStart: (fresh: boolean) => void }) {
  const t = useT();
  const locale = useLocale();
  const goOn = saved && (saved.step === null ? t('failed.goOnSaved') : t('failed.goOn', { step: saved.step.toLocaleString(locale) }));
  return (
    <>
      <Button size="compact-sm" variant="default" leftSection={<Icon name="restart" size={14} />} onClick={() => onStart(false)}>
        {goOn ?? t('failed.again')}
      </Button>
      {saved && (
        <Button size="compact-sm" variant="default" leftSection={<Icon name="first" size={14} />} onClick={() => onStart(true)}>
          {t('job.startFresh')}
        </Button>
      )}
    </>
  );
}

/** The one that the reason names, else the first that failed. */
export function failedTask(job: Pick<JobDetail, 'reason' | 'tasks'>): Task | undefined {
  const named = job.reason?.params.task;
  return job.tasks.find(({ name }) => name === named) ?? job.tasks.find(({ state }) => state === 'failed' || state === 'lost');
}

function LastLines({ job, task }: { job: JobDetail; task: Task }) {
  const t = useT();
  const lines = useLastLines(job, task.name, LAST_LINES);
  if (!lines) return null;
  return (
    <div className={style.part}>
      <div className={style.lastHead}>
        <h2>{t('failed.lastLines', { task: task.name })}</h2>
        <Link
          to="/jobs/$job"
          params={{ job: job.id }}
          search={{ tab: 'logs', task: task.name, ...(lines[0] ? { line: String(lines.at(-1)!.offset) } : {}) }}
        >
          {t('failed.toLog')}
        </Link>
      </div>
      {lines.length === 0 ? (
        <p className={ink.quiet}>{t('log.silent')}</p>
      ) : (
        <PlainLines lines={lines} label={t('failed.lastLines', { task: task.name })} />
      )}
    </div>
  );
}

function PlainLines({ lines, label }: { lines: Line[]; label: string }) {
  const place = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    // The last line says most.
    if (place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [lines]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <pre ref={place} className={style.lastLines} tabIndex={0} role="region" aria-label={label}>
      {lines.map((line) => (
        <span key={line.offset} data-failure={tellsOfFailure(line) || undefined}>{`${stripAnsi(line.raw)}\n`}</span>
      ))}
    </pre>
  );
}

/** Undefined until they are there; a log that cannot be read has none. */
export function useLastLines(job: Pick<JobDetail, 'id' | 'attempt'>, task: string | undefined, count: number): Line[] | undefined {
  const source = { job: job.id, task: task ?? '', attempt: job.attempt };
  const tail = useQuery({
    queryKey: logKeys.tail(job.id, task, job.attempt, count),
    queryFn: async ({ signal }) => (await tailLog(source, count, signal)).lines.slice(-count).map(fromPage),
    enabled: task !== undefined && job.attempt > 0,
    retry: false,
  });
  return tail.isError ? NO_LINES : tail.data;
}

const NO_LINES: Line[] = [];
