/** Asks before a node takes no more work, and says that what runs there goes on. */
import { Button } from '@mantine/core';
import type { Node } from '@/api/types';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/Dialog';
import style from './NodePage.module.css';

interface Props {
  node: Node;
  busy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export default function CordonDialog({ node, busy, onCancel, onConfirm }: Props) {
  const t = useT();
  return (
    <Dialog title={t('nodes.cordonTitle', { name: node.name })} onClose={onCancel}>
      <p>{t('nodes.cordonText')}</p>
      <p className={style.goesOn}>{t('nodes.cordonRunning', { count: node.tasks.length })}</p>
      <div className={style.dialogActions}>
        <Button variant="default" onClick={onCancel}>{t('action.cancel')}</Button>
        <Button data-autofocus loading={busy} onClick={onConfirm}>{t('nodes.cordon')}</Button>
      </div>
    </Dialog>
  );
}
