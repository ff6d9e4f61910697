/** One's own page: who one is, language and theme, password, tokens. */
import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import type { User } from '@/api/types';
import type { Locale, MessageKey } from '@/app/i18n';
import { chooseLocale, LOCALES, useLocale, useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMe } from '@/app/session';
import { Facts, Page, Panel } from '@/ui/Panel';
import { PasswordForm } from '@/ui/PasswordForm';
import { Exact } from '@/ui/Time';
import { Tokens } from './Tokens';
import style from './Profile.module.css';

const ROLES: Record<User['role'], MessageKey> = {
  administrator: 'role.administrator',
  engineer: 'role.engineer',
  viewer: 'role.viewer',
};

export function ProfilePage() {
  const t = useT();
  const me = useMe();
  return (
    <Page title={t('profile.title')}>
      <div className={style.column}>
        <Panel>
          <Facts
            items={[
              [t('profile.name'), me.display_name || me.name],
              [t('signIn.username'), me.name],
              [t('profile.role'), t(ROLES[me.role])],
              [t('profile.since'), me.created_at ? <Exact key="since" at={me.created_at} /> : '–'],
            ]}
          />
        </Panel>
        <Panel title={t('profile.appearance')}>
          <Appearance />
        </Panel>
        <Tokens />
        <Panel title={t('profile.password')}>
          <PasswordForm needsCurrent submitLabel={t('profile.changePassword')} onDone={() => notify({ message: t('profile.passwordChanged') })} />
        </Panel>
      </div>
    </Page>
  );
}

function Appearance() {
  const t = useT();
  const locale = useLocale();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={style.choices}>
      <div className={style.choice}>
        <span id="language">{t('language.label')}</span>
        <SegmentedControl
          aria-labelledby="language"
          data={(Object.keys(LOCALES) as Locale[]).map((value) => ({ value, label: LOCALES[value] }))}
          value={locale}
          onChange={(value) => void chooseLocale(value as Locale)}
        />
      </div>
      <div className={style.choice}>
        <span id="theme">{t('theme.label')}</span>
        <SegmentedControl
          aria-labelledby="theme"
          data={[
            { value: 'auto', label: t('theme.auto') },
            { value: 'light', label: t('theme.light') },
            { value: 'dark', label: t('theme.dark') },
          ]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </div>
    </div>
  );
}
