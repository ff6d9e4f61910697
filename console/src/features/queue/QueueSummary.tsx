/** How many wait, how much work that is, and by which decision. */
import { useT } from '@/app/i18n';
import { Ago } from '@/ui/words/Time';
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
      {decidedAt && <Ago at={decidedAt} said="queue.decided" />}
    </p>
  );
}
