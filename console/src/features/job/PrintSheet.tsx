/** A job on paper: facts, reason, tasks' last words, events and file; on the screen it is not seen. */
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import { toYaml } from '@/parts/jobs/job-file';
import { stripAnsi } from '@/ui/log/ansi';
import { Facts } from '@/ui/page/Panel';
import { JobStatus } from '@/ui/words/Status';
import { Exact } from '@/ui/words/Time';
import { EventGroups } from './EventTimeline';
import { failedTask, useLastLines } from './top/FailureNotice';
import { useJobFacts } from './top/JobFacts';
import { useJobEvents } from './useJobEvents';
import style from './PrintSheet.module.css';

const LAST_LINES = 100;

/** Prints as soon as everything is there, once. */
export default function PrintSheet({ job, onDone }: { job: JobDetail; onDone: () => void }) {
  const t = useT();
  const [made] = useState(() => new Date().toISOString());
  const say = useSentence();
  const events = useJobEvents(job.id);
  const task = failedTask(job) ?? job.tasks[0];
  const lines = useLastLines(job, task?.name, LAST_LINES);
  const facts = useJobFacts(job);
  const reason = job.state === 'queued' ? (job.waiting ?? job.reason) : job.reason;
  const ready = !events.isPending && (task === undefined || lines !== undefined);
  const printed = useRef(false);
  useEffect(() => {
    if (!ready || printed.current) return;
    printed.current = true;
    addEventListener('afterprint', onDone, { once: true });
    // The next frame has it all drawn.
    requestAnimationFrame(() => window.print());
  }, [ready, onDone]);
  return createPortal(
    <div className={style.sheet} data-print-sheet="">
      <h1>{titleOf(job)}</h1>
      <p>
        <JobStatus state={job.state} reason={job.reason?.code} /> · <Exact at={made} />
      </p>
      {reason && (
        <p>
          <b>{say(reason.text)}</b> {say(reason.meaning)} {say(reason.advice)}
        </p>
      )}
      {job.description && <p>{job.description}</p>}
      <Facts items={facts} />
      {job.attempts.length > 1 && (
        <>
          <h2>{t('tab.attempts')}</h2>
          <ol>
            {job.attempts.map(
              ({ number, story }) =>
                story && (
                  <li key={number}>
                    {t('log.attemptNumber', { number })}: {say(story)}
                  </li>
                ),
            )}
          </ol>
        </>
      )}
      <h2>{t('tab.events')}</h2>
      {events.data && <EventGroups events={events.data} />}
      <h2>{t('tab.spec')}</h2>
      <pre>{toYaml(job.spec)}</pre>
      {task && lines && lines.length > 0 && (
        <>
          <h2>{t('failed.lastLines', { task: task.name })}</h2>
          <pre>{lines.map(({ raw }) => stripAnsi(raw)).join('\n')}</pre>
        </>
      )}
    </div>,
    document.body,
  );
}
