/** Changing what is said of a person. */
import { useState } from 'react';
import { groupKeys } from '@/api/groups';
import { editUser, userKeys } from '@/api/people';
import type { User } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { FIELD_NAMES, UserFields } from './UserFields';

export default function EditUser({ user: { name, role, display_name, email, groups }, onClose }: { user: User; onClose: () => void }) {
  const t = useT();
  const [fields, setFields] = useState({ role, display_name, email, groups });
  const edit = useSave({
    save: () => editUser(name, { ...fields, display_name: fields.display_name.trim(), email: fields.email.trim() }),
    close: onClose,
    said: t('people.changed', { name }),
    invalidate: [userKeys.all, groupKeys.all],
    fields: FIELD_NAMES,
  });
  return (
    <FormDialog
      title={t('people.editTitle', { name })}
      action={t('clusters.save')}
      busy={edit.isPending}
      error={edit.untold}
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <UserFields fields={fields} mistakes={edit.mistakes} onChange={(part) => setFields((old) => ({ ...old, ...part }))} />
    </FormDialog>
  );
}
