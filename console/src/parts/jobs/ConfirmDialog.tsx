/** Asks before something is lost. */
import { Button, Modal } from '@mantine/core';
import { useT } from '@/app/i18n';
import { LOOKS, QUESTIONS } from './actions';
import type { DirectAction } from './actions';
import type { JobRef } from './useJobActions';
import style from './jobs.module.css';

interface Props {
  asking: { action: DirectAction; job: JobRef };
  onCancel: () => void;
  onConfirm: () => void;
}

export default function ConfirmDialog({ asking, onCancel, onConfirm }: Props) {
  const t = useT();
  const question = QUESTIONS[asking.action];
  if (!question) return null;
  return (
    <Modal opened onClose={onCancel} title={t(question.title, { name: asking.job.name })} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <p>{t(question.text)}</p>
      <div className={style.dialogActions}>
        <Button variant="default" onClick={onCancel}>{t('action.cancel')}</Button>
        <Button color="red" data-autofocus onClick={onConfirm}>{t(LOOKS[asking.action].label)}</Button>
      </div>
    </Modal>
  );
}
