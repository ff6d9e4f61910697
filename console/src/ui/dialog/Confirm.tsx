/** Asks before something is lost. Load it lazily: few come to the question. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Dialog } from './Dialog';
import style from './Dialog.module.css';

interface Props {
  title: string;
  /** What will happen. */
  text: string;
  /** The word on the button that does it. */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export default function Confirm({ title, text, action, busy, onConfirm, onClose }: Props) {
  const t = useT();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div className={style.actions}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" data-autofocus loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
