/** The menus of a filter: one of several, or any number of them. */
import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
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
  onOpened?: (opened: boolean) => void;
  onChange: (value: string | undefined) => void;
}

export function OneMenu({ label, choices, chosen, any, icon, plain = chosen === undefined, note, onOpened, onChange }: OneProps) {
  const all = any === undefined ? choices : [{ value: '', label: any }, ...choices];
  return (
    <FilterMenu label={label} icon={icon} active={!plain} onOpened={onOpened}>
      <Menu.RadioGroup value={chosen ?? ''} onChange={(value) => onChange(value || undefined)}>
        {all.map((choice) => <Menu.RadioItem key={choice.value} value={choice.value} closeMenuOnClick>{choice.label}</Menu.RadioItem>)}
      </Menu.RadioGroup>
      {note && <Menu.Label>{note}</Menu.Label>}
    </FilterMenu>
  );
}

interface ManyProps<Value extends string> {
  label: string;
  choices: Choice<Value>[];
  chosen: readonly Value[];
  icon?: IconName;
  active?: boolean;
  /** Below the choices. */
  children?: ReactNode;
  /** In the order of the choices. */
  onChange: (chosen: Value[]) => void;
}

export function ManyMenu<Value extends string>({ label, choices, chosen, icon, active = chosen.length > 0, children, onChange }: ManyProps<Value>) {
  // Two quick clicks come before the first has gone through the address.
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);
  const toggle = (value: Value) => {
    const before = latest.current;
    const next = choices.map((choice) => choice.value).filter((other) => (other === value ? !before.includes(value) : before.includes(other)));
    latest.current = next;
    onChange(next);
  };
  return (
    <FilterMenu label={label} icon={icon} active={active}>
      {choices.map(({ value, label: text }) => (
        <Menu.CheckboxItem key={value} checked={chosen.includes(value)} onChange={() => toggle(value)}>{text}</Menu.CheckboxItem>
      ))}
      {children}
    </FilterMenu>
  );
}

interface MenuProps {
  label: string;
  icon?: IconName | undefined;
  active: boolean;
  onOpened?: ((opened: boolean) => void) | undefined;
  children: ReactNode;
}

function FilterMenu({ label, icon, active, onOpened, children }: MenuProps) {
  return (
    <Menu position="bottom-start" width={200} onChange={(opened) => onOpened?.(opened)}>
      <Menu.Target>
        <Button variant="default" className={style.filter} data-active={active || undefined} leftSection={icon && <Icon name={icon} size={14} />} rightSection={<Icon name="down" size={12} />}>
          <span className={style.word}>{label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={style.menu} aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
