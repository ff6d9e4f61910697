/** A new account: by an invitation link, which is shown once, or with a first password. */
import { PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { groupKeys } from '@/api/groups';
import { createUser, inviteUser, userKeys } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { LinkOnce } from './LinkOnce';
import { FIELD_NAMES, FRESH, UserFields } from './UserFields';

type Way = 'invite' | 'create';

export default function NewUser({ way: first, onClose }: { way: Way; onClose: () => void }) {
  const t = useT();
  const [way, setWay] = useState(first);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [fields, setFields] = useState(FRESH);
  const add = useSave({
    save: async () => {
      const said = { ...fields, display_name: fields.display_name.trim(), email: fields.email.trim(), name: name.trim() };
      if (way === 'invite') return inviteUser(said);
      await createUser({ ...said, password });
      return null;
    },
    // The link of an invitation is shown here, once.
    stays: (invitation) => invitation !== null,
    close: onClose,
    said: t('people.created', { name: name.trim() }),
    invalidate: [userKeys.all, groupKeys.all],
    fields: FIELD_NAMES,
  });
  if (add.data) {
    return (
      <Dialog title={t('people.inviteTitle', { name: add.data.user.name })} onClose={onClose} size={520} sticky>
        <LinkOnce link={add.data} text={t('people.inviteText')} onClose={onClose} />
      </Dialog>
    );
  }
  const { mistakes } = add;
  return (
    <FormDialog
      title={t('people.new')}
      action={t(way === 'invite' ? 'people.makeLink' : 'people.create')}
      busy={add.isPending}
      error={add.untold}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('people.way')}
        fullWidth
        data={[
          { value: 'invite', label: t('people.wayInvite') },
          { value: 'create', label: t('people.wayPassword') },
        ]}
        value={way}
        onChange={(value) => setWay(value as Way)}
      />
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={t('people.userName')}
        description={t('people.userNameHint')}
        autoComplete="off"
        spellCheck={false}
        error={mistakes.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {way === 'create' && (
        <PasswordInput
          required
          withAsterisk={false}
          label={t('people.firstPassword')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
          error={mistakes.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <UserFields fields={fields} mistakes={mistakes} onChange={(part) => setFields((old) => ({ ...old, ...part }))} />
    </FormDialog>
  );
}
