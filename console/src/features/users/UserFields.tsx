/** What is said of a person: how they are called, what they may do, which groups they are in. */
import '@/ui/theme/kit-forms.css';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { groupKeys, listGroups } from '@/api/groups';
import { USER_ROLES } from '@/api/people';
import type { UserFields as Fields, UserRole } from '@/api/people';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import type { Mistakes } from '@/parts/mistakes';
import { ROLE_HINTS, ROLE_WORDS } from '@/parts/people/words';
import { CheckList } from '@/ui/form/CheckList';

interface Props {
  fields: Fields;
  mistakes: Mistakes;
  onChange: (part: Partial<Fields>) => void;
}

/** As the server has them. */
const LONGEST_NAME = 100;
const LONGEST_EMAIL = 254;

export const FIELD_NAMES = ['name', 'role', 'display_name', 'email', 'groups', 'password', 'life'];
export const FRESH: Fields = { role: 'engineer', display_name: '', email: '', groups: [] };

export function UserFields({ fields, mistakes, onChange }: Props) {
  const t = useT();
  const me = useMe();
  const groups = useQuery({ queryKey: groupKeys.all, queryFn: ({ signal }) => listGroups(signal) });
  const names = [...new Set([...(groups.data?.map(({ name }) => name) ?? []), ...fields.groups])].sort();
  const hints = new Map(groups.data?.map(({ name, description }) => [name, description]));
  // Only administrators make administrators; the server says so again.
  const roles = USER_ROLES.filter((role) => role !== 'administrator' || me.role === 'administrator' || fields.role === role);
  return (
    <>
      <TextInput
        label={t('people.displayName')}
        maxLength={LONGEST_NAME}
        autoComplete="off"
        error={mistakes.display_name}
        value={fields.display_name}
        onChange={(event) => onChange({ display_name: event.currentTarget.value })}
      />
      <TextInput
        label={t('people.email')}
        type="email"
        maxLength={LONGEST_EMAIL}
        autoComplete="off"
        error={mistakes.email}
        value={fields.email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('people.role')}
        description={t(ROLE_HINTS[fields.role])}
        error={mistakes.role}
        data={roles.map((value) => ({ value, label: t(ROLE_WORDS[value]) }))}
        value={fields.role}
        onChange={(event) => onChange({ role: event.currentTarget.value as UserRole })}
      />
      <CheckList
        label={t('people.groups')}
        error={mistakes.groups}
        empty={t('people.noGroupsYet')}
        options={names.map((name) => ({ value: name, label: name, hint: hints.get(name) }))}
        chosen={fields.groups}
        onChange={(chosen) => onChange({ groups: chosen })}
      />
    </>
  );
}
