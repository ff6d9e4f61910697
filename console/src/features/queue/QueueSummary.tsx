/** How many wait, how much work that is, and by which decision. */
import { useLocale, useT } from '@/app/i18n';
import { useNow } from '@/ui/words/clock';
import { formatDuration, formatExact } from '@/ui/words/format';
import { countOf } from './lanes';
import type { QueueSearch } from './search';
import type { Waiting } from './useQueue';
import { workWords } from './words';
import style from './Queue.module.css';

export function QueueSummary({ waiting: all, search }: { waiting: Waiting; search: QueueSearch }) {
  const t = useT();
  const { decidedAt } = all;
  const count = countOf(all, { class: search.class, gpu_model: search.lane });
  return (
    <p className={style.summary}>
      <span>{t('queue.inAll', { count: count.waiting, work: workWords(count, t) })}</span>
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
