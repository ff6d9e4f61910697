/** What is above the list of people: search, role, group, state. */
import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { groupKeys, listGroups } from '@/api/groups';
import { USER_ROLES, USER_STATES } from '@/api/people';
import { useT } from '@/app/i18n';
import { ROLE_WORDS, STATE_WORDS } from '@/parts/people/words';
import { FilterSelect } from '@/ui/form/FilterSelect';
import { Icon } from '@/ui/icons';
import { SearchBox } from '@/ui/form/SearchBox';
import { isFiltered } from './search';
import type { UsersSearch } from './search';
import lists from '@/ui/table/lists.module.css';

interface Props {
  search: UsersSearch;
  onChange: (change: Partial<UsersSearch>) => void;
  onReset: () => void;
}

export function UserFilters({ search, onChange, onReset }: Props) {
  const t = useT();
  const groups = useQuery({ queryKey: groupKeys.all, queryFn: ({ signal }) => listGroups(signal) });
  return (
    <search className={lists.filters} aria-label={t('people.filters')}>
      <SearchBox
        label={t('people.search')}
        hint={t('people.searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      <FilterSelect
        label={t('people.role')}
        any={t('people.anyRole')}
        choices={USER_ROLES.map((value) => ({ value, label: t(ROLE_WORDS[value]) }))}
        value={search.role}
        onChange={(role) => onChange({ role })}
      />
      <FilterSelect
        label={t('people.group')}
        any={t('people.anyGroup')}
        choices={groups.data?.map(({ name }) => ({ value: name, label: name })) ?? []}
        value={search.group}
        onChange={(group) => onChange({ group })}
      />
      <FilterSelect
        label={t('people.state')}
        any={t('people.anyState')}
        choices={USER_STATES.map((value) => ({ value, label: t(STATE_WORDS[value]) }))}
        value={search.state}
        onChange={(state) => onChange({ state })}
      />
      {isFiltered(search) && (
        <ActionIcon aria-label={t('people.reset')} title={t('people.reset')} onClick={onReset}>
          <Icon name="close" />
        </ActionIcon>
      )}
    </search>
  );
}
