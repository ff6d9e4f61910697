/** A button with a sheet below it: a menu, or a small dialog. Small enough for the first page; the kit's is not. */
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { createContext, use, useEffect, useRef } from 'react';
import { Icon } from './icons';
import type { IconName } from './icons';
import style from './Dropdown.module.css';

interface Props {
  kind: 'menu' | 'dialog';
  /** What the sheet is called. */
  label: string;
  open: boolean;
  onChange: (open: boolean) => void;
  /** The button's own look and words. */
  button: ComponentProps<'button'>;
  className?: string;
  children: ReactNode;
}

const Close = createContext<() => void>(() => undefined);

export function Dropdown({ kind, label, open, onChange, button, className, children }: Props) {
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
    const inside = sheet.current;
    (inside?.querySelector<HTMLElement>('[aria-checked="true"], [data-autofocus]') ?? inside?.querySelector<HTMLElement>(ITEMS) ?? inside)?.focus();
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
        <div ref={sheet} role={kind} aria-label={label} tabIndex={-1} className={`${style.sheet} ${className ?? ''}`}>
          <Close value={close}>{children}</Close>
        </div>
      )}
    </div>
  );
}

const ITEMS = '[role^="menuitem"]';

/** The arrows, Home, End, and the first letter of an item. */
function moveFocus(menu: HTMLElement | null, key: string): boolean {
  const items = [...(menu?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items.at(at <= 0 ? -1 : at - 1),
    Home: items[0],
    End: items.at(-1),
  }[key] ?? byLetter([...items.slice(at + 1), ...items.slice(0, at + 1)], key);
  to?.focus();
  return to !== undefined;
}

function byLetter(items: HTMLElement[], key: string): HTMLElement | undefined {
  return key.length === 1 && key !== ' ' ? items.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase())) : undefined;
}

/** What closes the sheet and gives the focus back to its button. */
export const useCloseDropdown = (): (() => void) => use(Close);

interface ItemProps {
  icon?: IconName;
  lang?: string;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, lang, onChoose, children }: ItemProps) {
  const close = useCloseDropdown();
  const choose = () => {
    close();
    onChoose();
  };
  return (
    <button type="button" role="menuitem" tabIndex={-1} lang={lang} className={style.item} onClick={choose}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** One of several, of which one holds. */
export function MenuChoice({ chosen, lang, onChoose, children }: ItemProps & { chosen: boolean }) {
  const close = useCloseDropdown();
  const choose = () => {
    close();
    onChoose();
  };
  return (
    <button type="button" role="menuitemradio" aria-checked={chosen} tabIndex={-1} lang={lang} className={style.item} onClick={choose}>
      <span className={style.tick}>{chosen && <Icon name="done" size={14} />}</span>
      {children}
    </button>
  );
}
