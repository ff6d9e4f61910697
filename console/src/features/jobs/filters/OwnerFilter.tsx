/** Whose jobs: everyone's, one's own, or those of a person one names. */
import { lazy, Suspense } from 'react';
import { useT } from '@/app/i18n';
import { useCloseDropdown } from '@/ui/menu/Dropdown';
import { FilterMenu } from './FilterMenu';
import style from './Filters.module.css';

const SomebodyElse = lazy(() => import('./SomebodyElse'));

interface Props {
  owner: string | undefined;
  onChange: (owner: string | undefined) => void;
}

export function OwnerFilter({ owner, onChange }: Props) {
  const t = useT();
  return (
    <FilterMenu kind="dialog" label={t('jobs.owner')} active={owner !== undefined}>
      <Owners owner={owner} onChange={onChange} />
    </FilterMenu>
  );
}

function Owners({ owner, onChange }: Props) {
  const t = useT();
  const close = useCloseDropdown();
  const choose = (next: string | undefined) => {
    close();
    onChange(next);
  };
  return (
    <div className={style.owner}>
      <button
        type="button"
        className={style.ownerChoice}
        aria-pressed={owner === undefined}
        data-autofocus
        onClick={() => choose(undefined)}
      >
        {t('jobs.everyone')}
      </button>
      <button type="button" className={style.ownerChoice} aria-pressed={owner === 'me'} onClick={() => choose('me')}>
        {t('jobs.mine')}
      </button>
      <Suspense fallback={<div className={style.somebodySpace} />}>
        <SomebodyElse owner={owner === 'me' ? '' : (owner ?? '')} onChoose={choose} />
      </Suspense>
    </div>
  );
}
