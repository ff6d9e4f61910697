/** One person: who they are, where they belong, how they sign in, what they may hold. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { getUser, userKeys } from '@/api/people';
import type { UserDetail } from '@/api/people';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { MEMBER_WORDS, ROLE_WORDS, SIGN_IN_WORDS, stateOf } from '@/parts/people/words';
import { QuotaView } from '@/parts/quotas/QuotaView';
import { Icon } from '@/ui/icons';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Facts, Page, Panel } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { UserStatus } from '@/ui/words/Status';
import { Exact } from '@/ui/words/Time';
import { UserKeys } from './UserKeys';
import { UserTokens } from './UserTokens';
import { ACTION_LOOKS, actionsFor, useUserActions } from './useUserActions';
import layout from '@/ui/page/layout.module.css';
import style from './Users.module.css';

const route = getRouteApi('/app/users/$user');

export function UserPage() {
  const t = useT();
  const { user: name } = route.useParams();
  useLive('users');
  const user = useQuery({ queryKey: userKeys.one(name), queryFn: ({ signal }) => getUser(name, signal) });
  const list: Crumb = { to: '/users', label: t('nav.users') };
  if (user.data) return <Loaded user={user.data} trail={[list]} />;
  return (
    <AwaitedPage
      title={name}
      list={list}
      query={user}
      icon="users"
      missing={t('people.missing')}
      text={t('people.missingText')}
      back={t('people.all')}
    />
  );
}

function Loaded({ user, trail }: { user: UserDetail; trail: Crumb[] }) {
  const t = useT();
  const mayWrite = useMayEverywhere('user:write');
  const mayReadKeys = useMayEverywhere('key:read');
  const maySetQuota = useMayEverywhere('quota:write');
  const navigate = route.useNavigate();
  const { run, dialogs } = useUserActions(() => void navigate({ to: '/users' }));
  const { name, display_name, email, role, sign_in, created_at, active_jobs, tokens, keys: keyCount, groups, projects, uid } = user;
  const heading = (
    <span className={layout.heading}>
      {display_name || name}
      <UserStatus state={stateOf(user)} />
    </span>
  );
  const actions = actionsFor(user).map((action) => (
    <Button key={action} variant="default" leftSection={<Icon name={ACTION_LOOKS[action].icon} />} onClick={() => run(action, user)}>
      {t(ACTION_LOOKS[action].label)}
    </Button>
  ));
  return (
    <Page title={name} heading={heading} trail={trail} actions={mayWrite && actions}>
      <Panel>
        <Facts
          items={[
            [t('people.userName'), name],
            [t('people.email'), email || '–'],
            [t('people.role'), t(ROLE_WORDS[role])],
            [t('people.signIn'), t(SIGN_IN_WORDS[sign_in])],
            [t('people.since'), <Exact key="since" at={created_at} />],
            [
              t('people.activeJobs'),
              <Link key="jobs" to="/jobs" search={{ owner: name }}>
                {t('people.jobs', { count: active_jobs })}
              </Link>,
            ],
            [
              t('people.score'),
              <Link key="score" to="/scores/$user" params={{ user: name }}>
                {t('people.toScore')}
              </Link>,
            ],
            [t('people.tokens'), tokens],
            [t('people.uid'), uid],
          ]}
        />
      </Panel>
      <div className={layout.columns}>
        <div className={layout.column}>
          <Panel title={t('people.groups')}>
            {groups.length === 0 ? (
              <p className={style.quiet}>{t('people.inNoGroup')}</p>
            ) : (
              <ul className={layout.facing}>
                {groups.map((group) => (
                  <li key={group}>
                    <Link to="/groups/$group" params={{ group }}>
                      {group}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          <Panel title={t('nav.projects')}>
            {projects.length === 0 ? (
              <p className={style.quiet}>{t('people.inNoProject')}</p>
            ) : (
              <ul className={layout.facing}>
                {projects.map(({ project, role: as }) => (
                  <li key={project}>
                    <Link to="/projects/$project" params={{ project }}>
                      {project}
                    </Link>
                    <span className={style.quiet}>{t(MEMBER_WORDS[as])}</span>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          {mayReadKeys ? (
            <UserKeys name={name} />
          ) : (
            <Panel title={t('keys.title')}>
              <p className={style.quiet}>{t('keys.count', { count: keyCount })}</p>
            </Panel>
          )}
        </div>
        <div className={layout.column}>
          <Panel
            title={t('people.quota')}
            aside={
              maySetQuota && (
                <span>
                  <Link to="/quotas" search={{ search: name, raise: `user:${name}` }}>
                    {t('people.raiseQuota')}
                  </Link>
                  {' · '}
                  <Link to="/quotas" search={{ search: name }}>
                    {t('people.toQuota')}
                  </Link>
                </span>
              )
            }
          >
            <QuotaView user={name} />
          </Panel>
          {mayWrite && <UserTokens name={name} />}
        </div>
      </div>
      {dialogs}
    </Page>
  );
}
