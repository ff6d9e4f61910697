/** How many wait, for how long together, and by which decision. */
import { useLocale, useT } from '@/app/i18n';
import { useNow } from '@/ui/words/clock';
import { formatDuration, formatExact } from '@/ui/words/format';
import { countOf } from './lanes';
import type { QueueSearch } from './search';
import type { Waiting } from './useQueue';
import style from './Queue.module.css';

export function QueueSummary({ waiting: { lanes, decidedAt }, search }: { waiting: Waiting; search: QueueSearch }) {
  const t = useT();
  const { waiting, seconds } = countOf(lanes, { class: search.class, gpu_model: search.lane });
  return (
    <p className={style.summary}>
      <span>{t('queue.inAll', { count: waiting, time: formatDuration(seconds, t) })}</span>
      {decidedAt && <Decided at={decidedAt} />}
    </p>
  );
}

function Decided({ at }: { at: string }) {
  const t = useT();
  const locale = useLocale();
  const then = Date.parse(at);
  const age = formatDuration((useNow() - then) / 1000, t);
  return (
    <time dateTime={at} title={formatExact(then, locale)}>
      {t('queue.decided', { age })}
    </time>
  );
}
