/** Below a list of which not all is there yet. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import style from './Volumes.module.css';

interface Props {
  list: { rows: unknown[]; more: (() => void) | undefined; isFetchingMore: boolean };
  total: number;
}

export function MoreRows({ list: { rows, more, isFetchingMore }, total }: Props) {
  const t = useT();
  if (!more) return null;
  return (
    <div className={style.more}>
      <Button variant="default" loading={isFetchingMore} onClick={more}>
        {t('files.more', { shown: rows.length, total })}
      </Button>
    </div>
  );
}
