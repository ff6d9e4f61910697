/** A person's name with their colour before it, the same on every page; the colour never stands alone. */
import { personSeries, seriesToken } from '@/ui/theme/palette';
import style from './Person.module.css';

export function Person({ name }: { name: string }) {
  return (
    <span className={style.person} title={name}>
      <i className={style.dot} style={{ background: personColour(name) }} aria-hidden="true" />
      {name}
    </span>
  );
}

export const personColour = (name: string): string => `var(--${seriesToken(personSeries(name))})`;
