/** What a job fetches into volumes before it starts: each input as a step, with how far its transfer is. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getJob, jobKeys } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { formatBytes } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from './JobTop.module.css';

type InputStep = JobDetail['inputs'][number];

const LOOKS: Record<InputStep['state'], [IconName, 'done' | 'current' | 'failed' | 'ahead', MessageKey]> = {
  waiting: ['created', 'ahead', 'input.waiting'],
  queued: ['queued', 'ahead', 'input.queued'],
  running: ['starting', 'current', 'input.running'],
  completed: ['done', 'done', 'input.completed'],
  failed: ['failed', 'failed', 'input.failed'],
  cancelled: ['stopped', 'failed', 'input.cancelled'],
};
/** No event tells of progress. */
const LOOKED_EVERY = 2_000;

export function InputSteps({ job }: { job: JobDetail }) {
  const t = useT();
  const under = job.state === 'queued';
  useQuery({
    queryKey: jobKeys.detail(job.id),
    queryFn: ({ signal }) => getJob(job.id, signal),
    refetchInterval: LOOKED_EVERY,
    enabled: under,
  });
  return (
    <ol className={style.inputs} aria-label={t('input.steps')}>
      {job.inputs.map((input, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- inputs keep their places
        <Step key={place} input={input} current={under && input.state === 'running'} />
      ))}
    </ol>
  );
}

function Step({ input, current }: { input: InputStep; current: boolean }) {
  const t = useT();
  const say = useSentence();
  const [icon, state, word] = LOOKS[input.state];
  return (
    <li className={style.step} data-state={state} aria-current={current ? 'step' : undefined}>
      <span className={style.stepIcon}>
        <Icon name={icon} size={14} />
      </span>
      <span className={style.input}>
        <span>
          <span className="mono">{input.source}</span> → <span className="mono">{input.target}</span>
        </span>
        <span className={ink.finer}>
          {t(word)}
          {far(input) && ` · ${far(input)}`}
          {input.problem && ` · ${say(input.problem)}`}
          {input.transfer && (
            <>
              {' · '}
              <Link to="/transfers">{t('input.transfer')}</Link>
            </>
          )}
        </span>
      </span>
    </li>
  );
}

function far({ state, bytes, bytes_total: total, rate }: InputStep): string {
  if (state === 'completed' || bytes === 0) return bytes > 0 ? formatBytes(bytes) : '';
  const speed = rate > 0 ? ` · ${formatBytes(rate)}/s` : '';
  if (!total) return `${formatBytes(bytes)}${speed}`;
  return `${Math.min(99, Math.floor((bytes * 100) / total))} % / ${formatBytes(total)}${speed}`;
}
