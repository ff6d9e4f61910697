/** A number in a table: nothing is quiet, what is free or missing stands out. */
import { formatCount } from '@/ui/words/format';
import style from './PanelPage.module.css';

interface Props {
  value: number;
  format?: (value: number) => string;
  look?: 'free' | 'short' | undefined;
}

export function Figure({ value, format = formatCount, look }: Props) {
  if (value === 0) return <span className={style.none}>0</span>;
  return <span className={look && style[look]}>{format(value)}</span>;
}
