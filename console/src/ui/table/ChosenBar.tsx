/** What can be done with all chosen rows of a table; it stands in the table's foot, so that nothing moves when it comes. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '@/app/i18n';
import style from './ChosenBar.module.css';

interface Props {
  count: number;
  onDrop: () => void;
  /** Buttons. */
  children: ReactNode;
}

export function ChosenBar({ count, onDrop, children }: Props) {
  const t = useT();
  if (count === 0) return null;
  return (
    <div className={style.bar} role="toolbar" aria-label={t('chosen.label')}>
      <span className={style.count} role="status">
        {t('chosen.count', { count })}
      </span>
      {children}
      <Button variant="subtle" color="gray" onClick={onDrop}>
        {t('chosen.drop')}
      </Button>
    </div>
  );
}
