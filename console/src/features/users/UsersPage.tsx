/** Everybody who has an account: found by name, role, group and state, and changed one by one or many at once. */
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { readUsers, userKeys } from '@/api/people';
import { useCommands } from '@/app/commands';
import type { Command } from '@/app/commands';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { useLongList } from '@/parts/useLongList';
import { Icon } from '@/ui/icons';
import { ListStates } from '@/ui/page/ListPage';
import { Page } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { isFiltered, NO_FILTERS } from './search';
import type { UsersSearch } from './search';
import { UserFilters } from './UserFilters';
import { UserTable } from './UserTable';
import style from './Users.module.css';

const NewUser = lazy(() => import('./NewUser'));
const route = getRouteApi('/app/users');
const NONE: Command[] = [];

export function UsersPage() {
  const t = useT();
  useLive('users');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayEverywhere('user:write');
  const [adding, setAdding] = useState<'invite' | 'create' | null>(null);
  const list = useLongList(userKeys.list(search), (cursor, signal) => readUsers(search, cursor, signal));
  const change = (part: Partial<UsersSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => change(NO_FILTERS);
  const commands: Command[] = [
    { id: 'users.invite', label: t('people.invite'), icon: 'link', run: () => setAdding('invite') },
    { id: 'users.create', label: t('people.create'), icon: 'plus', run: () => setAdding('create') },
  ];
  useCommands(mayWrite ? commands : NONE);
  const actions = (
    <>
      <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setAdding('create')}>
        {t('people.create')}
      </Button>
      <Button leftSection={<Icon name="link" />} onClick={() => setAdding('invite')}>
        {t('people.invite')}
      </Button>
    </>
  );
  const nobody = (
    <EmptyState
      icon="filter"
      title={t('people.noMatch')}
      action={
        isFiltered(search) && (
          <Button variant="default" onClick={reset}>
            {t('people.reset')}
          </Button>
        )
      }
    >
      {t('people.noMatchText')}
    </EmptyState>
  );
  return (
    <Page title={t('nav.users')} actions={mayWrite && actions} fill>
      <UserFilters search={search} onChange={change} onReset={reset} />
      <div className={style.frame}>
        <ListStates list={list} bones={12} none={nobody}>
          {() => <UserTable list={list} scope={JSON.stringify(search)} mayWrite={mayWrite} />}
        </ListStates>
      </div>
      {adding && (
        <Suspense fallback={null}>
          <NewUser way={adding} onClose={() => setAdding(null)} />
        </Suspense>
      )}
    </Page>
  );
}
