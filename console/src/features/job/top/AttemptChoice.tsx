/** Which try to run the job the page is about: log, charts and facts follow. */
import { NativeSelect } from '@mantine/core';
import type { Attempt, JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import style from '../JobPage.module.css';

const STATE_WORDS: Record<Attempt['state'], MessageKey> = {
  starting: 'state.starting',
  running: 'state.running',
  stopping: 'state.stopping',
  completed: 'state.completed',
  failed: 'state.failed',
  stopped: 'state.stopped',
};

interface Props {
  job: JobDetail;
  attempt: number | undefined;
  /** Undefined is the latest, whichever that becomes. */
  onChange: (attempt: number | undefined) => void;
}

export function AttemptChoice({ job, attempt, onChange }: Props) {
  const t = useT();
  if (job.attempts.length < 2) return null;
  const [latest, ...earlier] = job.attempts.toReversed();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('log.attempt')}
      className={earlierAttempt(job, attempt) ? `${style.attempt} ${style.past}` : style.attempt}
      data={[
        { value: '', label: t('job.latestAttempt', { number: latest!.number }) },
        ...earlier.map(({ number, state }) => ({
          value: String(number),
          label: t('job.earlierAttempt', { number, state: t(STATE_WORDS[state]) }),
        })),
      ]}
      value={earlierAttempt(job, attempt) ? String(attempt) : ''}
      onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
    />
  );
}

/** The chosen one, where it is not the latest. */
export function earlierAttempt(job: Pick<JobDetail, 'attempts' | 'attempt'>, number: number | undefined): Attempt | undefined {
  return number === undefined || number === job.attempt ? undefined : job.attempts.find((one) => one.number === number);
}
