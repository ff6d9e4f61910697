/** The groups of people: what their members may do, and how many there are. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, useMemo, useState } from 'react';
import { groupKeys, listGroups } from '@/api/groups';
import type { Group } from '@/api/groups';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { permissionName } from '@/parts/people/permissions';
import { useList } from '@/parts/useList';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { ListPage } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';

const NewGroup = lazy(() => import('./NewGroup'));
/** So many are named in the table. */
const NAMED = 3;

export function GroupsPage() {
  const t = useT();
  useLive('rules');
  useLive('users');
  const mayWrite = useMayEverywhere('group:write');
  const [adding, setAdding] = useState(false);
  const groups = useList(groupKeys.all, listGroups);
  const columns = useMemo(() => columnsOf(t), [t]);
  const add = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {t('groups.new')}
    </Button>
  );
  return (
    <ListPage
      title={t('nav.groups')}
      actions={groups.rows.length > 0 && add}
      above={<p className={ink.quiet}>{t('groups.text')}</p>}
      list={groups}
      bones={6}
      none={
        <EmptyState icon="groups" title={t('groups.none')} action={add}>
          {t(mayWrite ? 'groups.noneText' : 'groups.noneTextOthers')}
        </EmptyState>
      }
      dialogs={adding && <NewGroup onClose={() => setAdding(false)} />}
    >
      {(rows) => (
        <Panel flush>
          <DataTable label={t('nav.groups')} columns={columns} rows={rows} rowKey={({ name }) => name} />
        </Panel>
      )}
    </ListPage>
  );
}

function columnsOf(t: Translate): Column<Group>[] {
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      width: '180px',
      cell: ({ name }) => (
        <Link to="/groups/$group" params={{ group: name }} className={ink.strong} title={name}>
          {name}
        </Link>
      ),
    },
    { id: 'members', header: t('groups.members'), width: '96px', cell: ({ members }) => members },
    { id: 'permissions', header: t('groups.permissions'), cell: ({ permissions }) => <Permissions names={permissions} /> },
    {
      id: 'description',
      header: t('groups.description'),
      hideBelow: 'phone',
      cell: ({ description }) => <span title={description}>{description || <span className={ink.quiet}>–</span>}</span>,
    },
  ];
}

function Permissions({ names }: { names: string[] }) {
  const t = useT();
  if (names.length === 0) return <span className={ink.quiet}>{t('groups.noPermissions')}</span>;
  const words = names.map((name) => permissionName(name, t));
  const rest = words.length - NAMED;
  return (
    <span title={words.join(' · ')}>
      {words.slice(0, NAMED).join(' · ')}
      {rest > 0 && ` ${t('people.andMore', { count: rest })}`}
    </span>
  );
}
