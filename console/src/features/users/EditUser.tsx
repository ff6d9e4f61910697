/** Changing what is said of a person. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@/api/keys';
import { editUser } from '@/api/people';
import type { User } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { mistakesOf, standsAt } from '@/parts/mistakes';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { FIELD_NAMES, UserFields } from './UserFields';

export default function EditUser({ user: { name, role, display_name, email, groups }, onClose }: { user: User; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [fields, setFields] = useState({ role, display_name, email, groups });
  const edit = useMutation({
    mutationFn: () => editUser(name, { ...fields, display_name: fields.display_name.trim(), email: fields.email.trim() }),
    onSuccess: async () => {
      onClose();
      notify({ message: t('people.changed', { name }) });
      await Promise.all([keys.users, keys.groups].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return (
    <FormDialog
      title={t('people.editTitle', { name })}
      action={t('clusters.save')}
      busy={edit.isPending}
      error={standsAt(edit.error, FIELD_NAMES) ? undefined : edit.error}
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <UserFields fields={fields} mistakes={mistakesOf(edit.error)} onChange={(part) => setFields((old) => ({ ...old, ...part }))} />
    </FormDialog>
  );
}
