/** Who holds GPUs, a line each: owner, job or kind, how many, for how long, until when. */
import { Link } from '@tanstack/react-router';
import type { Holder } from '@/api/queue';
import { useT } from '@/app/i18n';
import { KIND_WORDS } from '@/parts/jobs/size';
import { Person } from '@/ui/words/Person';
import { formatCount } from '@/ui/words/format';
import { JobStatus } from '@/ui/words/Status';
import { Duration } from '@/ui/words/Time';
import { Ends } from './ends';
import ink from '@/ui/theme/ink.module.css';
import style from './Waiting.module.css';

/** Each with a name of its own: of others' jobs nothing tells two apart that began together. */
export function keyed(holders: readonly Holder[]): [key: string, holder: Holder][] {
  const seen = new Map<string, number>();
  return holders.map((holder) => {
    const name = holder.job_id ?? `${holder.owner} ${holder.began_at} ${holder.gpus}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return [`${name} ${seen.get(name)}`, holder];
  });
}

/** `states`: with the state of each, where the list is one of jobs rather than of who is in the way. */
export function HolderList({ holders, states = false }: { holders: readonly Holder[]; states?: boolean }) {
  return (
    <ul className={style.holders}>
      {keyed(holders).map(([key, holder]) => (
        <HolderLine key={key} holder={holder} states={states} />
      ))}
    </ul>
  );
}

function HolderLine({ holder, states }: { holder: Holder; states: boolean }) {
  const t = useT();
  const { owner, mine, name, job_id: job, kind, gpus, nodes, began_at: began } = holder;
  return (
    <li>
      <span className={style.who}>
        {states && <JobStatus state={holder.state} />}
        <b>
          <Person name={owner} />
        </b>
        {mine && <span className={style.you}>{t('queue.you')}</span>}
        {job !== null ? (
          <Link to="/jobs/$job" params={{ job }} className={style.job}>
            {name}
          </Link>
        ) : (
          <span className={ink.quiet}>{t(KIND_WORDS[kind])}</span>
        )}
      </span>
      <span className={style.cards}>{t('hold.cards', { count: formatCount(gpus), gpus, nodes })}</span>
      <span className={style.runs}>
        {t('hold.runs')} <Duration from={began} />
      </span>
      <span className={style.ends}>
        <Ends holder={holder} />
      </span>
    </li>
  );
}
