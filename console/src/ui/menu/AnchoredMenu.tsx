/** A menu beside a button that lies elsewhere: one menu serves all rows of a table. */
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CloseSheet } from './Dropdown';
import { focusInside, moveFocus } from './Dropdown-keys';
import style from './Dropdown.module.css';

interface Props {
  /** The button that was pressed; it gets the focus back. */
  button: HTMLElement;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

const GAP = 4;
const EDGE = 8;

export function AnchoredMenu({ button, label, onClose, children }: Props) {
  const sheet = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });

  useLayoutEffect(() => {
    const box = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = sheet.current!;
    const fitsBelow = box.bottom + GAP + height + EDGE <= innerHeight;
    setPlace({
      left: Math.max(EDGE, Math.min(box.right, innerWidth - EDGE) - width),
      top: fitsBelow ? box.bottom + GAP : Math.max(EDGE, box.top - GAP - height),
    });
    // Items may come and go while it is open: what is known of a job arrives later.
  }, [button, children]);

  useEffect(() => {
    focusInside(sheet.current);
    button.setAttribute('aria-expanded', 'true');
    const leave = () => latest.current();
    const onPress = ({ target }: Event) => {
      if (!sheet.current?.contains(target as Node)) leave();
    };
    document.addEventListener('pointerdown', onPress);
    // What it stands beside moves away.
    document.addEventListener('scroll', onPress, { capture: true });
    addEventListener('resize', leave);
    return () => {
      button.removeAttribute('aria-expanded');
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('scroll', onPress, { capture: true });
      removeEventListener('resize', leave);
    };
  }, [button]);

  const close = () => {
    button.focus();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (!moveFocus(sheet.current, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={sheet}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={`${style.sheet} ${style.anchored}`}
      style={place ?? { visibility: 'hidden' }}
      onKeyDown={onKeyDown}
    >
      <CloseSheet value={close}>{children}</CloseSheet>
    </div>
  );
}
