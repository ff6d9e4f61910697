/** The menus of a filter: one of several, or any number of them. */
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Dropdown, MenuCheck, MenuChoice, MenuNote } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './Filters.module.css';

interface Choice<Value extends string> {
  value: Value;
  label: string;
}

interface OneProps {
  label: string;
  choices: Choice<string>[];
  chosen: string | undefined;
  /** What no choice is called; without it there is always one. */
  any?: string;
  icon?: IconName;
  /** The choice is the usual one: the button does not stand out. */
  plain?: boolean;
  note?: string | undefined;
  align?: 'left' | 'right';
  onOpened?: (opened: boolean) => void;
  onChange: (value: string | undefined) => void;
}

export function OneMenu({ label, choices, chosen, any, icon, plain = chosen === undefined, note, align, onOpened, onChange }: OneProps) {
  const all = any === undefined ? choices : [{ value: '', label: any }, ...choices];
  return (
    <FilterMenu kind="menu" label={label} icon={icon} active={!plain} align={align} onOpened={onOpened}>
      {all.map((choice) => (
        <MenuChoice key={choice.value} chosen={choice.value === (chosen ?? '')} onChoose={() => onChange(choice.value || undefined)}>
          {choice.label}
        </MenuChoice>
      ))}
      {note && <MenuNote>{note}</MenuNote>}
    </FilterMenu>
  );
}

interface ManyProps<Value extends string> {
  label: string;
  choices: Choice<Value>[];
  chosen: readonly Value[];
  icon?: IconName;
  active?: boolean;
  align?: 'left' | 'right';
  /** Below the choices. */
  children?: ReactNode;
  /** In the order of the choices. */
  onChange: (chosen: Value[]) => void;
}

export function ManyMenu<Value extends string>({
  label,
  choices,
  chosen,
  icon,
  active = chosen.length > 0,
  align,
  children,
  onChange,
}: ManyProps<Value>) {
  // Two quick clicks come before the first has gone through the address.
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);
  const toggle = (value: Value) => {
    const before = latest.current;
    const next = choices
      .map((choice) => choice.value)
      .filter((other) => (other === value ? !before.includes(value) : before.includes(other)));
    latest.current = next;
    onChange(next);
  };
  return (
    <FilterMenu kind="menu" label={label} icon={icon} active={active} align={align}>
      {choices.map(({ value, label: text }) => (
        <MenuCheck key={value} chosen={chosen.includes(value)} onChoose={() => toggle(value)}>
          {text}
        </MenuCheck>
      ))}
      {children}
    </FilterMenu>
  );
}

interface MenuProps {
  kind: 'menu' | 'dialog';
  label: string;
  icon?: IconName | undefined;
  active: boolean;
  align?: 'left' | 'right' | undefined;
  onOpened?: ((opened: boolean) => void) | undefined;
  children: ReactNode;
}

/** The button of a filter with its sheet; it stands out while something is filtered. */
export function FilterMenu({ kind, label, icon, active, align = 'left', onOpened, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const change = (next: boolean) => {
    setOpen(next);
    onOpened?.(next);
  };
  const face = (
    <>
      {icon && <Icon name={icon} size={14} />}
      <span className={style.word}>{label}</span>
      <Icon name="down" size={12} />
    </>
  );
  return (
    <Dropdown
      kind={kind}
      label={label}
      open={open}
      onChange={change}
      align={align}
      className={style.menu}
      button={{ className: style.filter, 'data-active': active || undefined, children: face }}
    >
      {children}
    </Dropdown>
  );
}
