/** How far a job is on its way to running. */
import type { JobDetail } from '@/api/jobs';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Duration } from '@/ui/words/Time';
import { formatClock } from '@/ui/words/format';
import { startSteps } from './start-steps';
import type { StartStep } from './start-steps';
import { useJobEvents } from '../useJobEvents';
import style from './JobTop.module.css';

const WORDS: Record<string, MessageKey> = {
  queued: 'step.queued',
  placed: 'step.placed',
  prepare: 'step.prepare',
  code: 'step.code',
  files: 'step.files',
  packages: 'step.packages',
  packages_install: 'step.packagesDone',
  packages_wait: 'step.packagesWait',
  running: 'step.running',
};
/** Of what takes its time, other words while it lasts. */
const WORDS_NOW: Record<string, MessageKey> = { ...WORDS, code: 'step.codeNow', packages_install: 'step.packagesInstall' };
const ICONS: Record<StartStep['state'], IconName> = { done: 'done', current: 'starting', failed: 'failed', ahead: 'created' };
const STATE_WORDS: Record<StartStep['state'], MessageKey> = {
  done: 'step.done',
  current: 'step.current',
  failed: 'step.failed',
  ahead: 'step.ahead',
};

export function StartStepper({ job }: { job: JobDetail }) {
  const t = useT();
  const events = useJobEvents(job.id);
  // The height is there before the answer is.
  const steps = events.data ? startSteps(job, events.data) : [];
  return (
    <ol className={style.steps} aria-label={t('step.label')}>
      {steps.map((step) => (
        <li key={step.name} className={style.step} data-state={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
          <span className={style.stepIcon}>
            <Icon name={ICONS[step.state]} size={14} />
          </span>
          <span>
            {stepWord(step, t)}
            <span className="visually-hidden">: {t(STATE_WORDS[step.state])}</span>
            <span className={style.stepTime}>
              {step.state === 'current' && step.at ? <Duration from={step.at} /> : step.at && formatClock(Date.parse(step.at)).slice(0, 8)}
              {job.tasks.length > 1 &&
                step.tasks > 0 &&
                step.name !== 'placed' &&
                ` · ${t('step.tasks', { count: step.tasks, of: job.tasks.length })}`}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function stepWord({ name, state }: StartStep, t: Translate): string {
  const key = state === 'failed' && name === 'running' ? 'step.command' : (state === 'done' ? WORDS : WORDS_NOW)[name];
  return key ? t(key) : name;
}
