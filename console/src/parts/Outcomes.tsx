/** What was refused of something done to many, and why. */
import type { Outcome } from '@/api/types';
import { useT } from '@/app/i18n';
import style from '@/ui/table/lists.module.css';
import { Notice } from '@/ui/page/Panel';

export const refusedIn = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ ok }) => !ok);

export function Outcomes({ outcomes }: { outcomes: readonly Outcome[] | undefined }) {
  const t = useT();
  const refused = refusedIn(outcomes ?? []);
  if (refused.length === 0) return null;
  return (
    <Notice tone="red" icon="warning" title={t('list.refused', { count: refused.length })} role="alert">
      <ul className={style.listed}>
        {refused.map(({ name, error }) => (
          <li key={name}>
            <span className={style.name}>{name}</span>
            <span className={style.grow}>{error}</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
