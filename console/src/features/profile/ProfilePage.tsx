/** One's own page: who one is, how one likes the console, where one is signed in, password, tokens. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { User } from '@/api/types';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { notify } from '@/app/notify';
import { openOverlay } from '@/app/overlays';
import { useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { Facts, Page, Panel } from '@/ui/Panel';
import { PasswordForm } from '@/ui/PasswordForm';
import { Exact } from '@/ui/Time';
import { Appearance } from './Appearance';
import { Sessions } from './Sessions';
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
    <Page title={t('profile.title')} actions={<Actions user={me.name} />}>
      <div className={style.columns}>
        <div className={style.column}>
          <Identity me={me} />
          <Appearance />
          <Panel title={t('profile.password')}>
            <PasswordForm needsCurrent submitLabel={t('profile.changePassword')} onDone={() => notify({ message: t('profile.passwordChanged') })} />
          </Panel>
        </div>
        <div className={style.column}>
          <Sessions />
          <Tokens />
        </div>
      </div>
    </Page>
  );
}

function Actions({ user }: { user: string }) {
  const t = useT();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="keyboard" />} onClick={() => openOverlay('shortcuts')}>{t('shortcuts.title')}</Button>
      {user && (
        <Button variant="default" leftSection={<Icon name="score" />} renderRoot={(props) => <Link to="/scores/$user" params={{ user }} {...props} />}>
          {t('user.score')}
        </Button>
      )}
    </>
  );
}

function Identity({ me }: { me: User }) {
  const t = useT();
  return (
    <Panel>
      <Facts
        items={[
          [t('profile.name'), me.display_name || me.name],
          [t('signIn.username'), me.name],
          [t('profile.role'), t(ROLES[me.role])],
          [t('profile.groups'), me.groups.length > 0 ? <Groups key="groups" names={me.groups} /> : t('profile.noGroups')],
          [t('profile.since'), me.created_at ? <Exact key="since" at={me.created_at} /> : '–'],
        ]}
      />
    </Panel>
  );
}

function Groups({ names }: { names: string[] }) {
  return (
    <ul className={style.groups}>
      {names.map((name) => <li key={name} className={style.group}>{name}</li>)}
    </ul>
  );
}
