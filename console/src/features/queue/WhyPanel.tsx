/** The whole answer to "why does it wait": the reason, what to do, where it stands, who is ahead, what would start it now. */
import '@/ui/theme/kit-dialogs.css';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getJob, jobKeys } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import { queueKeys, whyJob } from '@/api/queue';
import type { QueueItem, Why } from '@/api/queue';
import { useSentence, useT } from '@/app/i18n';
import { sizeOf } from '@/parts/jobs/size';
import { useReturnFocus } from '@/ui/dialog/Dialog';
import { Icon } from '@/ui/icons';
import { Notice } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Duration } from '@/ui/words/Time';
import { slotName } from './lines';
import { jobName, laneName, waitingSince } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './WhyPanel.module.css';

export default function WhyPanel({ job, onClose }: { job: string; onClose: () => void }) {
  const t = useT();
  const detail = useQuery({ queryKey: jobKeys.detail(job), queryFn: ({ signal }) => getJob(job, signal) });
  const why = useQuery({ queryKey: queueKeys.why(job), queryFn: ({ signal }) => whyJob(job, signal), retry: false });
  useReturnFocus();
  const name = detail.data?.name ?? '';
  const started = why.error instanceof ApiError && why.error.status === 409;
  return (
    // Of the kit's parts: its own heading would be a second banner of the page.
    <Drawer.Root opened onClose={onClose} position="right" size={460}>
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content>
        <div className={style.head}>
          <Drawer.Title className={style.title}>{t('why.title', { name })}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('action.close')} />
        </div>
        <div className={style.panel}>
          {why.isPending && <Skeleton rows={6} />}
          {started && (
            <EmptyState icon="done" title={t('why.over')}>
              {t('why.overText')}
            </EmptyState>
          )}
          {why.isError && !started && !why.data && <ErrorState error={why.error} retry={() => void why.refetch()} />}
          {why.data && !started && <Answer why={why.data} />}
          <Link to="/jobs/$job" params={{ job }} className={style.more}>
            {t('why.open')} <Icon name="right" size={14} />
          </Link>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Answer({ why }: { why: Why }) {
  const t = useT();
  const say = useSentence();
  return (
    <>
      {why.reason ? (
        <Notice tone="amber" icon="queued" title={say(why.reason.text)}>
          <p>{say(why.reason.meaning)}</p>
          <p>{say(why.reason.advice)}</p>
        </Notice>
      ) : (
        <Notice tone="green" icon="done" title={t('why.starts')} />
      )}
      <section>
        <h3 className={style.sub}>{t('why.places')}</h3>
        <ul className={style.places}>
          {why.places.map(({ lane, position }) => (
            <li key={`${lane.gpu_model} ${lane.class}`}>
              <span>{laneName(lane, t)}</span>
              <b>{t('why.place', { position })}</b>
            </li>
          ))}
        </ul>
      </section>
      {why.reason && (
        <section>
          <h3 className={style.sub}>{t('why.helps')}</h3>
          {why.helps.length === 0 && <p className={ink.quiet}>{t('why.noHelp')}</p>}
          <ul className={style.helps}>
            {why.helps.map(({ change, value, text }) => (
              <li key={`${change} ${value}`}>
                <Icon name="bulb" /> {say(text)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className={style.sub}>{t('why.ahead', { count: why.ahead_total })}</h3>
        <Ahead items={why.ahead} total={why.ahead_total} />
      </section>
    </>
  );
}

function Ahead({ items, total }: { items: QueueItem[]; total: number }) {
  const t = useT();
  if (total === 0) return <p className={ink.quiet}>{t('why.nobodyAhead')}</p>;
  return (
    <ol className={style.ahead}>
      {items.map((item) => (
        <li key={slotName(item)}>
          <span className={style.aheadPlace}>{item.position}</span>
          {item.pinned_at && (
            <span className={style.pin} title={t('queue.pinned')}>
              <Icon name="pin" size={14} />
              <span className="visually-hidden">{t('queue.pinned')}</span>
            </span>
          )}
          {item.job_id === null ? (
            <span className={ink.quiet}>{jobName(item, t)}</span>
          ) : (
            <Link to="/jobs/$job" params={{ job: item.job_id }}>
              {jobName(item, t)}
            </Link>
          )}
          <span className={style.aheadMore}>
            {item.owner} · {sizeOf(item, t)} · {item.priority} · <Duration from={waitingSince(item)} />
          </span>
        </li>
      ))}
      {total > items.length && <li className={ink.quiet}>{t('queue.more', { count: total - items.length })}</li>}
    </ol>
  );
}
