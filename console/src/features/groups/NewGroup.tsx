/** A new group: a name and what it is for; who is in it and what they may do follows on its page. */
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createGroup, groupKeys } from '@/api/groups';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function NewGroup({ onClose }: { onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const add = useSave({
    save: () => createGroup({ name: name.trim(), description: description.trim(), permissions: [] }),
    close: onClose,
    invalidate: [groupKeys.all],
    after: (group) => navigate({ to: '/groups/$group', params: { group: group.name } }),
    fields: ['name', 'description'],
  });
  const { mistakes } = add;
  return (
    <FormDialog
      title={t('groups.new')}
      action={t('groups.create')}
      busy={add.isPending}
      error={add.untold}
      size={440}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={t('jobs.name')}
        description={t('groups.nameHint')}
        autoComplete="off"
        spellCheck={false}
        error={mistakes.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t('groups.description')}
        maxLength={1000}
        error={mistakes.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
