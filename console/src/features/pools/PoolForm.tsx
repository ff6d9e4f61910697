/** A pool: new, or changed. */
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@/api/keys';
import { createPool, editPool } from '@/api/rules';
import type { Pool } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { ClassChoice } from '@/parts/ClassChoice';
import { mistakesOf, untold } from '@/parts/mistakes';
import { FormDialog } from '@/ui/dialog/FormDialog';

const FIELDS = ['name', 'description'] as const;

export default function PoolForm({ pool, onClose }: { pool: Pool | undefined; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [classes, setClasses] = useState(pool?.classes ?? []);
  const [description, setDescription] = useState(pool?.description ?? '');
  const save = useMutation({
    mutationFn: () => {
      const said = { classes, description: description.trim() };
      return pool ? editPool(pool.name, said) : createPool({ name: name.trim(), ...said });
    },
    onSuccess: async (saved) => {
      onClose();
      notify({ message: t('list.saved', { name: saved.name }) });
      await client.invalidateQueries({ queryKey: keys.rules });
    },
  });
  const mistakes = mistakesOf(save.error);
  return (
    <FormDialog
      title={pool ? t('list.edit', { name: pool.name }) : t('pools.new')}
      action={t('action.save')}
      busy={save.isPending}
      error={untold(save.error, FIELDS)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {!pool && (
        <TextInput data-autofocus required withAsterisk={false} label={t('jobs.name')} description={t('list.nameRule')} maxLength={63} autoComplete="off" error={mistakes.name} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      )}
      <ClassChoice label={t('pools.serves')} chosen={classes} onChange={setClasses} />
      <TextInput label={t('list.description')} maxLength={1000} error={mistakes.description} value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
    </FormDialog>
  );
}
