/** A dialog that is drawn while it is open and gives the focus back when it is gone. */
import '@/ui/theme/kit-dialogs.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useT } from '@/app/i18n';
import { rememberPlace } from '@/ui/page/focus-place';
import style from './Dialog.module.css';

interface Props {
  title: string;
  onClose: () => void;
  /** Its width in pixels. */
  size?: number;
  /** A slip of the hand must not lose what is inside, or what is under way: it is closed from within only. */
  sticky?: boolean;
  children: ReactNode;
}

/** Of the kit's parts: its own heading would be a second banner of the page. */
export function Dialog({ title, onClose, size = 440, sticky, children }: Props) {
  const t = useT();
  useReturnFocus();
  return (
    <Modal.Root opened centered onClose={onClose} size={size} closeOnClickOutside={!sticky} closeOnEscape={!sticky}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        <div className={style.head}>
          <Modal.Title>{title}</Modal.Title>
          {!sticky && <Modal.CloseButton aria-label={t('action.close')} />}
        </div>
        <div className={style.body}>{children}</div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** To where the focus was before, or near it if that is gone, unless something else has taken it. */
export function useReturnFocus(): void {
  const [restore] = useState(() => rememberPlace(document.activeElement ?? document.body));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body) restore();
      });
    },
    [restore],
  );
}
