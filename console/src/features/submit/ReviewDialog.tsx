/** What an edit changes, before it is saved. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import DiffView from '@/ui/code/DiffView';
import { Notice } from '@/ui/page/Panel';
import style from './Submit.module.css';

interface Props {
  before: string;
  after: string;
  busy: boolean;
  onCancel: () => void;
  onSave: () => void;
  /** Where somebody else saved the job meanwhile: gives up one's own changes for theirs. */
  onTakeTheirs: (() => void) | undefined;
}

export default function ReviewDialog({ before, after, busy, onCancel, onSave, onTakeTheirs }: Props) {
  const t = useT();
  return (
    <Dialog title={t('edit.changes')} size={720} onClose={onCancel}>
      {onTakeTheirs && (
        <div className={style.above}>
          <Notice tone="amber" icon="warning" role="alert" title={t('edit.meanwhile')}>
            {t('edit.meanwhileText')}
          </Notice>
        </div>
      )}
      <DiffView before={before} after={after} label={t('edit.changes')} />
      <div className={style.dialogActions}>
        <span className={style.quiet}>{t('edit.later')}</span>
        {onTakeTheirs && (
          <Button variant="default" onClick={onTakeTheirs}>
            {t('edit.takeTheirs')}
          </Button>
        )}
        <Button variant="default" data-autofocus={onTakeTheirs && true} onClick={onCancel}>
          {t('edit.goOn')}
        </Button>
        <Button data-autofocus={!onTakeTheirs || undefined} loading={busy} onClick={onSave}>
          {onTakeTheirs ? t('edit.saveOver') : t('action.save')}
        </Button>
      </div>
    </Dialog>
  );
}
