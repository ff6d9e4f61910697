/** How far the job is: its time against what was expected and allowed, its steps where the training tells how many there are. */
import { useQuery } from '@tanstack/react-query';
import type { JobDetail } from '@/api/jobs';
import { getMetrics, metricKeys } from '@/api/metrics';
import { useLocale, useT } from '@/app/i18n';
import { isActive } from '@/parts/jobs/actions';
import { useNow } from '@/ui/words/clock';
import { formatDuration } from '@/ui/words/format';
import { stepProgress, timeProgress } from './progress';
import type { StepProgress, TimeProgress } from './progress';
import style from './Progress.module.css';

const EVERY_MS = 5000;
/** Few points of one metric: only its steps and its pace are wanted. */
const ASKED = { points: 10, name: ['total_steps'] };

export function JobProgress({ job }: { job: JobDetail }) {
  const time = timeProgress(job, useNow());
  const steps = useSteps(job);
  if (!time && !steps) return null;
  return (
    <div className={style.progress}>
      {steps && <Steps steps={steps} active={isActive(job.state)} />}
      {time && <Times time={time} />}
    </div>
  );
}

function useSteps(job: JobDetail): StepProgress | null {
  const active = isActive(job.state);
  const { data } = useQuery({
    queryKey: metricKeys.job(job.id, ASKED),
    queryFn: ({ signal }) => getMetrics(job.id, ASKED, signal),
    enabled: job.kind === 'training' && job.attempt > 0,
    refetchInterval: active && EVERY_MS,
    retry: false,
  });
  return data ? stepProgress(data.latest_step, data.total_steps, active ? data.throughput.steps_per_second : null) : null;
}

function Steps({ steps: { step, of, left }, active }: { steps: StepProgress; active: boolean }) {
  const t = useT();
  const locale = useLocale();
  const words = t('progress.steps', { step: step.toLocaleString(locale), of: of.toLocaleString(locale) });
  const rest = active && left !== null && step < of ? t('progress.left', { span: formatDuration(left / 1000, t) }) : null;
  return <Bar words={words} aside={rest} part={step / of} tone="blue" />;
}

function Times({ time: { ran, expected, most, part, expectedAt, late } }: { time: TimeProgress }) {
  const t = useT();
  const span = (milliseconds: number) => formatDuration(milliseconds / 1000, t);
  const words = most === null ? t('progress.ran', { ran: span(ran) }) : t('progress.ofMost', { ran: span(ran), most: span(most) });
  const aside =
    expected === null
      ? null
      : late
        ? t('progress.late', { span: span(expected), over: span(ran - expected) })
        : t('progress.expected', { span: span(expected) });
  return <Bar words={words} aside={aside} part={part} mark={expectedAt} tone={late ? 'amber' : 'blue'} />;
}

interface BarProps {
  words: string;
  aside: string | null;
  /** From 0 to 1. */
  part: number;
  mark?: number | null;
  tone: 'blue' | 'amber';
}

function Bar({ words, aside, part, mark = null, tone }: BarProps) {
  return (
    <div className={style.one}>
      <div className={style.words}>
        <span>{words}</span>
        {aside !== null && <span>{aside}</span>}
      </div>
      <div
        className={style.bar}
        data-tone={tone}
        role="progressbar"
        aria-label={aside === null ? words : `${words}, ${aside}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        <span className={style.done} style={{ width: `${part * 100}%` }} />
        {mark !== null && <span className={style.mark} style={{ left: `${mark * 100}%` }} />}
      </div>
    </div>
  );
}
