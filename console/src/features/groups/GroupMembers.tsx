/** Who is in a group: found, added many at once, taken out. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { changeGroupMembers, groupKeys } from '@/api/groups';
import type { GroupDetail } from '@/api/groups';
import { userKeys } from '@/api/people';
import { listed, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { ChosenBar } from '@/ui/table/ChosenBar';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { SearchBox } from '@/ui/form/SearchBox';
import { EmptyState } from '@/ui/page/States';
import { useChosen } from '@/ui/table/useChosen';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Groups.module.css';

const RosterDialog = lazy(() => import('@/parts/roster/RosterDialog'));
const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const keyOf = (name: string) => name;
/** Below this one sees them all. */
const SEARCH_ABOVE = 12;

export function GroupMembers({ group: { name, member_names: names }, mayWrite }: { group: GroupDetail; mayWrite: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string[] | null>(null);
  const [search, setSearch] = useState('');
  const shown = useMemo(() => names.filter((user) => user.toLowerCase().includes(search.toLowerCase())), [names, search]);
  const chosen = useChosen(shown, keyOf);
  const refresh = () => Promise.all([groupKeys.all, userKeys.all].map((queryKey) => client.invalidateQueries({ queryKey })));
  const remove = useSave({
    save: (who: string[]) => changeGroupMembers(name, { names: who, remove: true }),
    close: () => {
      setRemoving(null);
      chosen.drop();
    },
    said: ({ changed }) => t('groups.takenOut', { count: changed.length }),
    after: refresh,
    failed: t('groups.takeOutFailed'),
  });
  const columns = useMemo<Column<string>[]>(
    () => [
      {
        id: 'name',
        header: t('people.userName'),
        cell: (user) => (
          <Link to="/users/$user" params={{ user }} className={ink.strong} data-row-link={user}>
            {user}
          </Link>
        ),
      },
    ],
    [t],
  );
  const label = useCallback((user: string) => t('people.choose', { name: user }), [t]);
  const choice = {
    chosen: chosen.keys,
    label,
    allLabel: t('people.chooseAll', { count: shown.length }),
    onToggle: chosen.toggle,
    onToggleAll: chosen.toggleAll,
  };
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
      {t('groups.addMembers')}
    </Button>
  );
  return (
    <Panel title={t('groups.membersOf', { count: names.length })} aside={names.length > 0 && add} flush>
      {names.length === 0 && (
        <EmptyState small icon="users" title={t('groups.nobody')} action={add}>
          {t('groups.nobodyText')}
        </EmptyState>
      )}
      {names.length > SEARCH_ABOVE && (
        <div className={style.above}>
          <SearchBox label={t('groups.searchMembers')} hint={t('groups.searchMembers')} value={search} onChange={setSearch} />
        </div>
      )}
      {names.length > 0 && (
        <div className={layout.short}>
          <DataTable label={t('groups.members')} columns={columns} rows={shown} rowKey={keyOf} {...(mayWrite && { choice })} />
        </div>
      )}
      <ChosenBar count={chosen.rows.length} onDrop={chosen.drop}>
        <Button variant="default" onClick={() => setRemoving(chosen.rows)}>
          {t('groups.takeOut')}
        </Button>
      </ChosenBar>
      <Suspense fallback={null}>
        {adding && (
          <RosterDialog
            title={t('groups.addTo', { name })}
            change={(body) => changeGroupMembers(name, body)}
            onDone={() => void refresh()}
            onClose={() => setAdding(false)}
          />
        )}
        {removing && (
          <Confirm
            title={t('groups.takeOutTitle', { count: removing.length })}
            text={t('groups.takeOutText', { names: listed(removing) })}
            action={t('groups.takeOut')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(removing)}
            onClose={() => setRemoving(null)}
          />
        )}
      </Suspense>
    </Panel>
  );
}
