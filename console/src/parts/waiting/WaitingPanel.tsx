/** Why a job waits: its place, its time and who holds what it waits for in large figures, then what would help, which changes this job. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobDetail } from '@/api/jobs';
import type { Holder, QueueItem, Why } from '@/api/queue';
import type { MessageKey, Translate } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { sizeOf } from '@/parts/jobs/size';
import { Icon } from '@/ui/icons';
import { useNow } from '@/ui/words/clock';
import { formatCount } from '@/ui/words/format';
import { Duration } from '@/ui/words/Time';
import { endInWords } from './ends';
import { HolderList } from './HolderList';
import { Helps } from './Helps';
import ink from '@/ui/theme/ink.module.css';
import style from './Waiting.module.css';

const CLASS_WORDS: Record<QueueItem['class'], MessageKey> = {
  single: 'queue.classSingle',
  distributed: 'queue.classDistributed',
  workspace: 'kind.workspace',
  service: 'kind.service',
};

export function WaitingPanel({ job, why, children }: { job: JobDetail; why: Why; children?: ReactNode }) {
  const t = useT();
  const say = useSentence();
  return (
    <section className={style.panel} aria-label={t('wait.label')}>
      <Figures job={job} why={why} />
      <div className={style.reason}>
        <p className={style.sentence}>
          <Icon name={why.reason ? 'queued' : 'done'} /> {why.reason ? say(why.reason.text) : t('why.starts')}
        </p>
        {why.reason && <p className={ink.quiet}>{say(why.reason.meaning)}</p>}
      </div>
      {why.reason && (
        <Helps job={job} helps={why.helps} advice={[say(why.reason.advice), why.ask && capital(say(why.ask))].filter(Boolean).join(' ')} />
      )}
      <div className={style.mores}>
        {why.holders.length > 0 && (
          <details className={style.more}>
            <summary>{t('wait.holders', { count: holdersOf(why) })}</summary>
            <HolderList holders={why.holders} />
            {holdersOf(why) > why.holders.length && (
              <Link to="/queue" className={style.all}>
                {t('queue.more', { count: holdersOf(why) - why.holders.length })}
              </Link>
            )}
          </details>
        )}
        {why.ahead_total > 0 && (
          <details className={style.more}>
            <summary>{t('why.ahead', { count: why.ahead_total })}</summary>
            <Ahead items={why.ahead} total={why.ahead_total} />
          </details>
        )}
      </div>
      {children}
    </section>
  );
}

const holdersOf = ({ models }: Why) => models.reduce((sum, { jobs }) => sum + jobs, 0);

function Figures({ job, why }: { job: JobDetail; why: Why }) {
  const t = useT();
  const now = useNow(5_000);
  const [first, ...others] = why.places;
  const [holder] = why.holders;
  return (
    <dl className={style.figures}>
      <Figure
        label={t('wait.place')}
        value={first ? String(first.position) : '–'}
        of={first && t('wait.of', { count: first.waiting })}
        below={
          first && [first, ...others].map(({ lane, position }) => laneOf(lane, others.length > 0 ? position : undefined, t)).join('\n')
        }
      />
      <Figure
        label={t('wait.since')}
        value={<Duration from={job.queued_at ?? job.created_at} />}
        below={why.ahead_total > 0 ? t('why.ahead', { count: why.ahead_total }) : first ? t('wait.next') : undefined}
      />
      {holder ? (
        <Figure
          label={t('wait.heldBy')}
          value={holder.owner}
          of={holdersOf(why) > 1 ? t('wait.others', { count: holdersOf(why) - 1 }) : undefined}
          below={`${cardsOf(holder, t)}${t('wait.between')}${endInWords(holder, now, t)}`}
        />
      ) : (
        why.models.length > 0 && <Free why={why} />
      )}
    </dl>
  );
}

/** Nobody holds what it waits for: it is kept for somebody, or too small. */
function Free({ why }: { why: Why }) {
  const t = useT();
  const sum = (part: 'free' | 'total') => why.models.reduce((all, model) => all + model[part], 0);
  return (
    <Figure
      label={t('wait.free')}
      value={formatCount(sum('free'))}
      of={t('wait.of', { count: formatCount(sum('total')) })}
      below={why.models.map(({ gpu_model: model }) => model).join(' · ')}
    />
  );
}

const cardsOf = (holder: Holder, t: Translate) => t('wait.cards', { count: formatCount(holder.gpus), model: holder.gpu_model });

function laneOf(lane: QueueItem['lane'], position: number | undefined, t: Translate): string {
  const model = lane.gpu_model === 'cpu' ? t('queue.noGpu') : lane.gpu_model;
  const name = `${model} · ${t(CLASS_WORDS[lane.class])}`;
  return position === undefined ? name : t('wait.inLane', { name, position });
}

function Figure({ label, value, of, below }: { label: string; value: ReactNode; of?: string | undefined; below?: string | undefined }) {
  return (
    <div className={style.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={style.value}>{value}</span>
        {of && <span className={style.of}> {of}</span>}
        {below && <span className={style.below}>{below}</span>}
      </dd>
    </div>
  );
}

function Ahead({ items, total }: { items: readonly QueueItem[]; total: number }) {
  const t = useT();
  return (
    <ol className={style.ahead}>
      {items.map((item) => (
        <li key={`${item.lane.gpu_model}/${item.lane.class}/${item.position}`}>
          <span className={style.number}>{item.position}</span>
          {item.pinned_at && (
            <span className={style.pin} title={t('queue.pinned')}>
              <Icon name="pin" size={14} />
              <span className="visually-hidden">{t('queue.pinned')}</span>
            </span>
          )}
          {item.job_id === null ? (
            <b>{item.owner}</b>
          ) : (
            <Link to="/jobs/$job" params={{ job: item.job_id }}>
              {item.name}
            </Link>
          )}
          <span className={ink.quiet}>
            {item.job_id !== null && `${item.owner} · `}
            {sizeOf(item, t)} · {item.priority} · <Duration from={item.queued_at ?? item.created_at} />
          </span>
        </li>
      ))}
      {total > items.length && <li className={ink.quiet}>{t('queue.more', { count: total - items.length })}</li>}
    </ol>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
