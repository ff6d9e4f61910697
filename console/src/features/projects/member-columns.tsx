/** The columns of a project's members; those who govern it choose roles right in the table. */
import { Link } from '@tanstack/react-router';
import { MEMBER_ROLES } from '@/api/rules/projects';
import type { Member, MemberRole } from '@/api/rules/projects';
import type { Translate } from '@/app/i18n';
import { MEMBER_WORDS } from '@/parts/people/words';
import type { Column } from '@/ui/table/DataTable';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from './Projects.module.css';

interface Acts {
  give: (user: string, role: MemberRole) => void;
  remove: (member: Member) => void;
}

/** `linked`: for those who may read the page of each. */
export function memberColumns(t: Translate, acts: Acts | undefined, linked: boolean): Column<Member>[] {
  const role: Column<Member>['cell'] = (member) =>
    acts ? (
      <select
        className={style.role}
        aria-label={t('projects.roleOf', { user: member.user })}
        value={member.role}
        onChange={(event) => acts.give(member.user, event.currentTarget.value as MemberRole)}
      >
        {MEMBER_ROLES.map((value) => (
          <option key={value} value={value}>
            {t(MEMBER_WORDS[value])}
          </option>
        ))}
      </select>
    ) : (
      t(MEMBER_WORDS[member.role])
    );
  const out: Column<Member> = {
    id: 'out',
    header: t('jobs.actions'),
    hiddenHeader: true,
    width: '92px',
    align: 'right',
    cell: (member) => (
      <button
        type="button"
        className={style.danger}
        aria-label={t('projects.removeName', { user: member.user })}
        onClick={() => acts?.remove(member)}
      >
        {t('groups.takeOut')}
      </button>
    ),
  };
  return [
    {
      id: 'user',
      header: t('people.userName'),
      cell: ({ user, display_name }) => (
        <span title={display_name}>
          {linked ? (
            <Link to="/users/$user" params={{ user }} className={ink.strong}>
              {user}
            </Link>
          ) : (
            <strong className={ink.strong}>{user}</strong>
          )}{' '}
          {display_name !== user && <span className={ink.quiet}>{display_name}</span>}
        </span>
      ),
    },
    { id: 'role', header: t('people.role'), width: '128px', cell: role },
    { id: 'since', header: t('projects.since'), width: '104px', hideBelow: 'phone', cell: ({ since }) => <Ago at={since} /> },
    ...(acts ? [out] : []),
  ];
}
