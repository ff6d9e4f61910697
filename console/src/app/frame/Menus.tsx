/** The header's menus: language, theme, the signed-in person. */
import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dropdown, MenuChoice, MenuItem } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { THEMES, useAppearance } from '../appearance';
import type { Theme } from '../appearance';
import { LOCALES, useLocale, useT } from '../i18n';
import type { Locale, MessageKey } from '../i18n';
import { openOverlay } from './overlays';
import { useMe } from '../session';
import { useSignOut } from '../sign-out';
import style from './Menus.module.css';

const THEME_LABELS: Record<Theme, MessageKey> = { auto: 'theme.auto', light: 'theme.light', dark: 'theme.dark' };

export function LanguageMenu() {
  const t = useT();
  const locale = useLocale();
  const { chooseLanguage } = useAppearance();
  const [open, setOpen] = useState(false);
  const label = t('language.label');
  const button = { className: style.tool, 'aria-label': label, title: label, children: <Icon name="globe" /> };
  return (
    <Dropdown kind="menu" label={label} open={open} onChange={setOpen} button={button}>
      {(Object.keys(LOCALES) as Locale[]).map((value) => (
        <MenuChoice key={value} lang={value} chosen={value === locale} onChoose={() => chooseLanguage(value)}>
          {LOCALES[value]}
        </MenuChoice>
      ))}
    </Dropdown>
  );
}

export function ThemeMenu() {
  const t = useT();
  const { theme, chooseTheme } = useAppearance();
  const [open, setOpen] = useState(false);
  const dark = useComputedColorScheme('light') === 'dark';
  const label = t('theme.label');
  const button = { className: style.tool, 'aria-label': label, title: label, children: <Icon name={dark ? 'moon' : 'sun'} /> };
  return (
    <Dropdown kind="menu" label={label} open={open} onChange={setOpen} button={button}>
      {THEMES.map((value) => (
        <MenuChoice key={value} chosen={value === theme} onChoose={() => chooseTheme(value)}>
          {t(THEME_LABELS[value])}
        </MenuChoice>
      ))}
    </Dropdown>
  );
}

export function UserMenu() {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const leave = useSignOut();
  const [open, setOpen] = useState(false);
  const name = me.display_name || me.name;
  const face = (
    <>
      <span className={style.avatar} data-initial={initial(name)} />
      <span className={style.name}>{name}</span>
      <Icon name="down" size={12} />
    </>
  );
  return (
    <Dropdown
      kind="menu"
      label={name}
      open={open}
      onChange={setOpen}
      button={{ className: style.person, 'aria-label': name, title: name, children: face }}
    >
      <p className={style.who}>{t('user.signedInAs', { name: me.name })}</p>
      <MenuItem icon="user" onChoose={() => void navigate({ to: '/profile' })}>
        {t('nav.profile')}
      </MenuItem>
      <MenuItem icon="packages" onChoose={() => void navigate({ to: '/environments' })}>
        {t('nav.environments')}
      </MenuItem>
      <MenuItem icon="score" onChoose={() => void navigate({ to: '/scores/$user', params: { user: me.name } })}>
        {t('user.score')}
      </MenuItem>
      <MenuItem icon="keyboard" onChoose={() => openOverlay('shortcuts')}>
        {t('shortcuts.title')}
      </MenuItem>
      <hr className={style.line} />
      <MenuItem icon="signOut" onChoose={() => void leave()}>
        {t('signOut')}
      </MenuItem>
    </Dropdown>
  );
}

function initial(name: string): string {
  return (Array.from(name)[0] ?? '·').toUpperCase();
}
