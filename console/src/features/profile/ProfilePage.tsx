/** One's own page: who one is, where one belongs, what one may do and hold, how one signs in, how one likes the console. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { User } from '@/api/people';
import { useT } from '@/app/i18n';
import { openOverlay } from '@/app/frame/overlays';
import { useMe } from '@/app/session';
import { ROLE_WORDS } from '@/parts/people/words';
import { QuotaView } from '@/parts/quotas/QuotaView';
import { Icon } from '@/ui/icons';
import { Facts, Page, Panel } from '@/ui/page/Panel';
import { Exact } from '@/ui/words/Time';
import { Appearance } from './Appearance';
import { Belonging } from './Belonging';
import { Password } from './Password';
import { Sessions } from './Sessions';
import { SshKeys } from './SshKeys';
import { Tokens } from './Tokens';
import layout from '@/ui/page/layout.module.css';
import style from './Profile.module.css';

export function ProfilePage() {
  const t = useT();
  const me = useMe();
  return (
    <Page title={t('profile.title')} actions={<Actions user={me.name} />}>
      <div className={style.columns}>
        <div className={layout.column}>
          <Identity me={me} />
          <Belonging />
          <Panel
            title={t('profile.quota')}
            aside={
              <Link to="/requests" search={{ tab: 'mine' }}>
                {t('profile.myRequests')}
              </Link>
            }
          >
            {me.name && <QuotaView user={me.name} />}
          </Panel>
          <Appearance />
          <Password />
        </div>
        <div className={layout.column}>
          <SshKeys />
          <Tokens />
          <Sessions />
        </div>
      </div>
    </Page>
  );
}

function Actions({ user }: { user: string }) {
  const t = useT();
  return (
    <>
      <Button variant="default" leftSection={<Icon name="keyboard" />} onClick={() => openOverlay('shortcuts')}>
        {t('shortcuts.title')}
      </Button>
      {user && (
        <Button
          variant="default"
          leftSection={<Icon name="score" />}
          renderRoot={(props) => <Link to="/scores/$user" params={{ user }} {...props} />}
        >
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
          [t('profile.role'), t(ROLE_WORDS[me.role])],
          [t('people.email'), me.email || '–'],
          [t('profile.since'), me.created_at ? <Exact key="since" at={me.created_at} /> : '–'],
        ]}
      />
    </Panel>
  );
}
