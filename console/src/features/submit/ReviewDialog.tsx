/** What an edit changes, before it is saved. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/Dialog';
import DiffView from '@/ui/DiffView';
import style from './Submit.module.css';

interface Props {
  before: string;
  after: string;
  busy: boolean;
  onCancel: () => void;
  onSave: () => void;
}

export default function ReviewDialog({ before, after, busy, onCancel, onSave }: Props) {
  const t = useT();
  return (
    <Dialog title={t('edit.changes')} size={640} onClose={onCancel}>
      <DiffView before={before} after={after} label={t('edit.changes')} />
      <div className={style.dialogActions}>
        <span className={style.quiet}>{t('edit.later')}</span>
        <Button variant="default" onClick={onCancel}>{t('edit.goOn')}</Button>
        <Button data-autofocus loading={busy} onClick={onSave}>{t('action.save')}</Button>
      </div>
    </Dialog>
  );
}
