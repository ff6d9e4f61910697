/** The header's menus: language, theme, the signed-in person. */
import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { signOut } from '@/api/session';
import { Icon } from '@/ui/icons';
import { chooseLocale, LOCALES, useLocale, useT } from './i18n';
import type { Locale } from './i18n';
import { adoptSession, useMe } from './session';
import style from './Shell.module.css';

export function LanguageMenu() {
  const t = useT();
  const active = useLocale();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('language.label')} title={t('language.label')}>
          <Icon name="globe" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(LOCALES) as Locale[]).map((locale) => (
          <Menu.Item
            key={locale}
            lang={locale}
            leftSection={<span className={style.tick}>{locale === active && <Icon name="done" size={14} />}</span>}
            onClick={() => void chooseLocale(locale)}
          >
            {LOCALES[locale]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ThemeButton() {
  const t = useT();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  const label = dark ? t('theme.toLight') : t('theme.toDark');
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
      <Icon name={dark ? 'sun' : 'moon'} />
    </ActionIcon>
  );
}

export function UserMenu() {
  const t = useT();
  const me = useMe();
  const router = useRouter();
  const leave = async () => {
    await signOut().catch(() => undefined);
    adoptSession(null);
    await router.navigate({ to: '/sign-in' });
  };
  const name = me.display_name || me.name;
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <button type="button" className={style.person} aria-label={name}>
          <span className={style.avatar} data-initial={initial(name)} />
          <span className={style.personName}>{name}</span>
          <Icon name="down" size={12} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="user" />} renderRoot={(props) => <Link to="/profile" {...props} />}>
          {t('nav.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void leave()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initial(name: string): string {
  return (Array.from(name)[0] ?? '·').toUpperCase();
}
