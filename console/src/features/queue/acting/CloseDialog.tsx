/** Asks before jobs are taken out of the queue, and says whose they are. */
import { Button } from '@mantine/core';
import type { QueueItem } from '@/api/queue';
import { useT } from '@/app/i18n';
import { sizeOf } from '@/parts/jobs/size';
import { Dialog } from '@/ui/dialog/Dialog';
import { jobName } from '../words';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from '../Queue.module.css';

const NAMED = 8;

interface Props {
  items: QueueItem[];
  busy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export default function CloseDialog({ items, busy, onCancel, onConfirm }: Props) {
  const t = useT();
  const [first] = items;
  const more = items.length - NAMED;
  const title =
    items.length === 1 && first
      ? t('queue.closeOne', { name: jobName(first, t), owner: first.owner })
      : t('queue.closeMany', { count: items.length });
  return (
    <Dialog onClose={onCancel} title={title}>
      <p>{t('queue.closeText', { count: items.length })}</p>
      <ul className={style.closing}>
        {items.slice(0, NAMED).map((item) => (
          <li key={item.job_id}>
            <b>{jobName(item, t)}</b>
            <span className={ink.quiet}>
              {t('queue.ofOwner', { owner: item.owner })} · {sizeOf(item, t)}
            </span>
          </li>
        ))}
        {more > 0 && <li className={ink.quiet}>{t('queue.more', { count: more })}</li>}
      </ul>
      <div className={layout.answers}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button color="red" loading={busy} data-autofocus onClick={onConfirm}>
          {t('queue.close')}
        </Button>
      </div>
    </Dialog>
  );
}
