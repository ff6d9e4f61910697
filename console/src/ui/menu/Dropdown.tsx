/** A button with a sheet below it: a menu, or a small dialog. Small enough for the first page; the kit's is not. */
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { createContext, use, useEffect, useRef } from 'react';
import { focusInside, moveFocus } from './Dropdown-keys';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './Dropdown.module.css';

interface Props {
  kind: 'menu' | 'dialog';
  /** What the sheet is called. */
  label: string;
  open: boolean;
  onChange: (open: boolean) => void;
  /** The button's own look and words. */
  button: ComponentProps<'button'> & Record<`data-${string}`, unknown>;
  /** With which edge of the button the sheet is in line; the right one unless told. */
  align?: 'left' | 'right';
  className?: string | undefined;
  children: ReactNode;
}

/** What closes the sheet around, and gives the focus back. */
export const CloseSheet = createContext<() => void>(() => undefined);

export function Dropdown({ kind, label, open, onChange, button, align, className, children }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  const close = () => {
    opener.current?.focus();
    onChange(false);
  };

  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (!open) return undefined;
    focusInside(sheet.current);
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!root.current?.contains(target as Node)) latest.current(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (kind !== 'menu' || !moveFocus(sheet.current, event.key)) return;
    event.preventDefault();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys are those of the menu inside
    <div
      ref={root}
      className={style.root}
      onKeyDown={open ? onKeyDown : undefined}
      onBlur={({ relatedTarget }) => open && relatedTarget && !root.current?.contains(relatedTarget) && onChange(false)}
    >
      <button ref={opener} type="button" aria-haspopup={kind} aria-expanded={open} onClick={() => onChange(!open)} {...button} />
      {open && (
        <div
          ref={sheet}
          role={kind}
          aria-label={label}
          tabIndex={-1}
          className={`${style.sheet} ${style.below} ${className ?? ''}`}
          data-align={align}
        >
          <CloseSheet value={close}>{children}</CloseSheet>
        </div>
      )}
    </div>
  );
}

/** What closes the sheet and gives the focus back to its button. */
export const useCloseDropdown = (): (() => void) => use(CloseSheet);

interface ItemProps {
  icon?: IconName;
  lang?: string;
  /** What does the same by keyboard. */
  keys?: string | undefined;
  disabled?: boolean | undefined;
  danger?: boolean | undefined;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, lang, keys, disabled, danger, onChoose, children }: ItemProps) {
  const close = useCloseDropdown();
  const choose = () => {
    close();
    onChoose();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      lang={lang}
      className={style.item}
      aria-disabled={disabled || undefined}
      data-danger={danger || undefined}
      onClick={disabled ? undefined : choose}
    >
      {icon && <Icon name={icon} />}
      {children}
      {keys && <kbd className={style.keys}>{keys}</kbd>}
    </button>
  );
}

type ChoiceProps = Pick<ItemProps, 'lang' | 'onChoose' | 'children'> & { chosen: boolean };

/** One of several, of which one holds. */
export function MenuChoice({ chosen, lang, onChoose, children }: ChoiceProps) {
  const close = useCloseDropdown();
  const choose = () => {
    close();
    onChoose();
  };
  return (
    <button type="button" role="menuitemradio" aria-checked={chosen} tabIndex={-1} lang={lang} className={style.item} onClick={choose}>
      <Tick on={chosen} />
      {children}
    </button>
  );
}

/** One of several, of which any number hold: the menu stays open. */
export function MenuCheck({ chosen, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" role="menuitemcheckbox" aria-checked={chosen} tabIndex={-1} className={style.item} onClick={onChoose}>
      <Tick on={chosen} />
      {children}
    </button>
  );
}

function Tick({ on }: { on: boolean }) {
  return <span className={style.tick}>{on && <Icon name="done" size={14} />}</span>;
}

export function MenuLine() {
  return <hr className={style.line} />;
}

/** Words among the items that cannot be chosen. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <p className={style.note}>{children}</p>;
}
