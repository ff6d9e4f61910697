/** Who holds the GPUs, model by model, above those who wait for them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getHolders, queueKeys } from '@/api/queue';
import type { HeldModel, Holder } from '@/api/queue';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { remember, stored } from '@/app/storage';
import { HolderList, keyed } from '@/parts/waiting/HolderList';
import { personColour } from '@/ui/words/Person';
import { Icon } from '@/ui/icons';
import { formatCount } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from './Holders.module.css';

const STORAGE_KEY = 'danlu.queue.holders';
const LOOK_AGAIN_MS = 10_000;
/** So many of a model's holders are shown until more are asked for: where they stand in the way, and where they are what is listed. */
const FIRST = 3;
const FIRST_OF_ALL = 8;

interface Props {
  model: string | undefined;
  /** The GPU models that somebody waits for: those stand here, or all if nobody waits. */
  wanted: readonly string[];
  /** As the running part of a list of all jobs: every model, each job with its state. */
  all: boolean;
  owner: string | undefined;
}

export function Holders({ model, wanted, all, owner }: Props) {
  const t = useT();
  const [folded, setFolded] = useState(() => stored(STORAGE_KEY) === 'folded');
  const { data } = useQuery({
    queryKey: queueKeys.holders(model),
    queryFn: ({ signal }) => getHolders(model, signal),
    refetchInterval: () => pollWithoutLive() || LOOK_AGAIN_MS,
  });
  if (!data) return null;
  const models = data.models.filter(({ gpu_model: one, jobs }) => jobs > 0 && (all || wanted.length === 0 || wanted.includes(one)));
  const ofOwner = (holder: Holder) => !all || owner === undefined || (owner === 'me' ? holder.mine : holder.owner === owner);
  const items = data.items.filter(ofOwner);
  if (models.length === 0 || items.length === 0) return null;
  const fold = (open: boolean) => {
    setFolded(!open);
    remember(STORAGE_KEY, open ? 'open' : 'folded');
  };
  return (
    <details className={style.holders} open={!folded} onToggle={(event) => fold(event.currentTarget.open)}>
      <summary>
        <Icon name="right" size={14} />
        <h2 className={ink.heading}>{all ? t('hold.running') : t('hold.title')}</h2>
        <span className={style.short}>
          {models.map(({ gpu_model: one, held, total }) => (
            <span key={one}>{t('hold.held', { model: one, held: formatCount(held), total: formatCount(total) })}</span>
          ))}
        </span>
      </summary>
      <div className={style.models}>
        {models.map((one) => (
          <Model key={one.gpu_model} model={one} holders={items.filter((item) => item.gpu_model === one.gpu_model)} states={all} />
        ))}
      </div>
    </details>
  );
}

function Model({ model, holders, states }: { model: HeldModel; holders: readonly Holder[]; states: boolean }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const first = states ? FIRST_OF_ALL : FIRST;
  const shown = all ? holders : holders.slice(0, first);
  const { gpu_model: name, held, total, free } = model;
  return (
    <section className={style.model} aria-label={name}>
      <p className={style.name}>
        <b>{name}</b>
        <span className={ink.quiet}>
          {t('hold.of', { held: formatCount(held), total: formatCount(total) })}
          {free > 0 && t('hold.free', { free: formatCount(free) })}
        </span>
      </p>
      <Cards total={total} holders={holders} />
      <HolderList holders={shown} states={states} />
      {holders.length > first && (
        <button type="button" className={style.all} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('hold.fewer') : t('hold.all', { count: holders.length })}
        </button>
      )}
    </section>
  );
}

/** The cards as one bar, a piece for each holder; the rest is free or another's. */
function Cards({ total, holders }: { total: number; holders: readonly Holder[] }) {
  return (
    <div className={style.bar} aria-hidden="true">
      {keyed(holders).map(([key, holder]) => (
        <span
          key={key}
          style={{ width: `${(100 * holder.gpus) / Math.max(total, 1)}%`, background: personColour(holder.owner) }}
          title={`${holder.owner} · ${formatCount(holder.gpus)}`}
        />
      ))}
    </div>
  );
}
