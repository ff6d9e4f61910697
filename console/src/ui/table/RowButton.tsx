/** A small button in a row of a table: an icon, and its words for everybody who cannot see it. */
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './lists.module.css';

interface Props {
  icon: IconName;
  label: string;
  danger?: boolean;
  onClick: () => void;
}

export function RowButton({ icon, label, danger, onClick }: Props) {
  return (
    <button type="button" className={style.rowButton} data-danger={danger || undefined} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={14} />
    </button>
  );
}
