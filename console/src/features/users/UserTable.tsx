/** The table of people with its row menu, keys and what can be done with the chosen. */
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { User } from '@/api/people';
import { listed, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { ROLE_WORDS, stateOf } from '@/parts/people/words';
import type { Long } from '@/parts/useLongList';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { MenuItem } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { UserStatus } from '@/ui/words/Status';
import { Ago } from '@/ui/words/Time';
import { useChosen } from '@/ui/table/useChosen';
import { useTableKeys } from '@/ui/table/useTableKeys';
import type { TableControl } from '@/ui/table/VirtualBody-focus';
import { BulkBar } from './BulkBar';
import { ACTION_LOOKS, actionsFor, useUserActions } from './useUserActions';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Users.module.css';

interface Props {
  list: Long<User>;
  /** Names what is listed: with another, the table begins anew. */
  scope: string;
  mayWrite: boolean;
}

interface OpenMenu {
  user: User;
  button: HTMLElement;
}

const keyOf = (user: User) => user.name;

export function UserTable({ list: { rows, total, stale, onView }, scope, mayWrite }: Props) {
  const t = useT();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { run, dialogs } = useUserActions();
  const columns = useMemo(() => columnsOf(t, mayWrite ? setMenu : undefined), [t, mayWrite]);
  const chosen = useChosen(rows, keyOf);
  const control = useRef<TableControl>(null);
  useTableKeys(control, { ids: chosen.keys, toggle: chosen.toggle, drop: chosen.drop });
  const label = useCallback((user: User) => t('people.choose', { name: user.name }), [t]);
  const choice = useMemo(
    () => ({
      chosen: chosen.keys,
      label,
      allLabel: t('people.chooseAll', { count: rows.length }),
      onToggle: chosen.toggle,
      onToggleAll: chosen.toggleAll,
    }),
    [chosen, label, t, rows.length],
  );
  const long = useMemo(() => ({ count: total, onView, control }), [total, onView]);
  return (
    <>
      <DataTable
        key={scope}
        label={t('nav.users')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        dimmed={stale}
        long={long}
        {...(mayWrite && { choice })}
      />
      <div className={style.foot}>
        {chosen.rows.length > 0 ? (
          <BulkBar users={chosen.rows} onDrop={chosen.drop} />
        ) : (
          <span className={style.quiet} role="status">
            {t('people.count', { count: total })}
          </span>
        )}
      </div>
      {menu && (
        <AnchoredMenu button={menu.button} label={t('people.actionsFor', { name: menu.user.name })} onClose={() => setMenu(null)}>
          {actionsFor(menu.user).map((action) => {
            const { icon, label: word, danger } = ACTION_LOOKS[action];
            return (
              <MenuItem
                key={action}
                icon={icon}
                danger={danger}
                onChoose={() => {
                  setMenu(null);
                  run(action, menu.user);
                }}
              >
                {t(word)}
              </MenuItem>
            );
          })}
        </AnchoredMenu>
      )}
      {dialogs}
    </>
  );
}

function columnsOf(t: Translate, onMenu: ((open: OpenMenu) => void) | undefined): Column<User>[] {
  const menu: Column<User> = {
    id: 'actions',
    header: t('jobs.actions'),
    hiddenHeader: true,
    width: '52px',
    cell: (user) => (
      <button
        type="button"
        className={lists.menuButton}
        aria-label={t('people.actionsFor', { name: user.name })}
        aria-haspopup="menu"
        onClick={(event) => onMenu?.({ user, button: event.currentTarget })}
      >
        <Icon name="more" />
      </button>
    ),
  };
  return [
    {
      id: 'name',
      header: t('people.userName'),
      cell: ({ name }) => (
        <Link to="/users/$user" params={{ user: name }} className={ink.strong} title={name} data-row-link={name}>
          {name}
        </Link>
      ),
    },
    {
      id: 'display',
      header: t('people.displayName'),
      hideBelow: 'phone',
      cell: ({ display_name }) => <span title={display_name}>{display_name || '–'}</span>,
    },
    { id: 'role', header: t('people.role'), width: '120px', hideBelow: 'phone', cell: ({ role }) => t(ROLE_WORDS[role]) },
    { id: 'state', header: t('people.state'), width: '176px', cell: (user) => <UserStatus state={stateOf(user)} /> },
    {
      id: 'groups',
      header: t('people.groups'),
      hideBelow: 'phone',
      cell: ({ groups }) => <span title={listed(groups)}>{listed(groups) || <span className={style.quiet}>–</span>}</span>,
    },
    {
      id: 'email',
      header: t('people.email'),
      width: '200px',
      hideBelow: 'tablet',
      cell: ({ email }) => <span title={email}>{email || <span className={style.quiet}>–</span>}</span>,
    },
    {
      id: 'created',
      header: t('people.since'),
      width: '112px',
      align: 'right',
      hideBelow: 'tablet',
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
    ...(onMenu ? [menu] : []),
  ];
}
