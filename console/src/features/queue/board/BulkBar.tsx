/** What administrators can do with all chosen jobs at once. */
import { Button } from '@mantine/core';
import type { QueueItem } from '@/api/queue';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { QueueAction } from '../acting/useQueueActions';
import ink from '@/ui/theme/ink.module.css';
import style from '../Queue.module.css';

interface Props {
  items: QueueItem[];
  busy: boolean;
  onAction: (action: QueueAction) => void;
  onClear: () => void;
}

export function BulkBar({ items, busy, onAction, onClear }: Props) {
  const t = useT();
  const pinned = items.some((item) => item.pinned_at !== null);
  return (
    <section className={style.bulk} aria-label={t('queue.bulk')}>
      <span role="status">{t('queue.chosen', { count: items.length })}</span>
      <Button variant="default" leftSection={<Icon name="pin" />} disabled={busy} onClick={() => onAction('pin')}>
        {t('queue.pin')}
      </Button>
      <Button variant="default" leftSection={<Icon name="unpin" />} disabled={busy || !pinned} onClick={() => onAction('unpin')}>
        {t('queue.unpin')}
      </Button>
      <Button variant="default" leftSection={<Icon name="stop" />} disabled={busy} className={ink.danger} onClick={() => onAction('close')}>
        {t('queue.close')}
      </Button>
      <Button variant="subtle" onClick={onClear}>
        {t('queue.chooseNone')}
      </Button>
    </section>
  );
}
