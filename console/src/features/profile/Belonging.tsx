/** Where one belongs: groups with what they let one do, and projects. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getMe, meKeys } from '@/api/me';
import type { Me } from '@/api/me';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { permissionName } from '@/parts/people/permissions';
import { MEMBER_WORDS } from '@/parts/people/words';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Tag, Tags } from '@/ui/words/Tags';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Profile.module.css';

export function Belonging() {
  const t = useT();
  useLive('users');
  const me = useQuery({ queryKey: meKeys.me, queryFn: ({ signal }) => getMe(signal) });
  return (
    <>
      <Panel title={t('profile.groups')}>
        {me.isPending && <Skeleton rows={2} />}
        {me.isError && !me.data && <ErrorState small error={me.error} retry={() => void me.refetch()} />}
        {me.data && <Groups groups={me.data.groups} permissions={me.data.permissions} />}
      </Panel>
      <Panel title={t('nav.projects')} aside={<Link to="/projects">{t('profile.toProjects')}</Link>}>
        {me.isPending && <Skeleton rows={2} />}
        {me.data?.projects.length === 0 && <p className={ink.quiet}>{t('profile.noProjects')}</p>}
        {me.data && me.data.projects.length > 0 && (
          <ul className={layout.facing}>
            {me.data.projects.map(({ project, role }) => (
              <li key={project}>
                <Link to="/projects/$project" params={{ project }}>
                  {project}
                </Link>
                <span className={ink.quiet}>{t(MEMBER_WORDS[role])}</span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}

function Groups({ groups, permissions }: Pick<Me, 'groups' | 'permissions'>) {
  const t = useT();
  return (
    <div className={layout.stack}>
      {groups.length === 0 && <p className={ink.quiet}>{t('profile.noGroups')}</p>}
      {groups.map(({ name, permissions: given }) => (
        <div key={name}>
          <p className={style.groupName}>{name}</p>
          {given.length === 0 ? (
            <p className={ink.quiet}>{t('groups.noPermissions')}</p>
          ) : (
            <Tags label={name}>
              {given.map((one) => (
                <Tag key={one} title={one}>
                  {permissionName(one, t)}
                </Tag>
              ))}
            </Tags>
          )}
        </div>
      ))}
      <details className={style.all}>
        <summary>{t('profile.permissions', { count: permissions.length })}</summary>
        <Tags>
          {permissions.map((one) => (
            <Tag key={one} title={one}>
              {permissionName(one, t)}
            </Tag>
          ))}
        </Tags>
      </details>
    </div>
  );
}
