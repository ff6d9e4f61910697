/** Leave without having sent it? */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import style from './Submit.module.css';

export default function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('leave.title')} onClose={onStay}>
      <p>{t('leave.text')}</p>
      <div className={style.dialogActions}>
        <Button variant="default" onClick={onLeave}>
          {t('leave.leave')}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {t('leave.stay')}
        </Button>
      </div>
    </Dialog>
  );
}
