/** A pool: new, or changed. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ruleKeys } from '@/api/rules/keys';
import { createPool, editPool } from '@/api/rules/pools';
import type { Pool } from '@/api/rules/pools';
import { useT } from '@/app/i18n';
import { ClassChoice } from '@/parts/ClassChoice';
import { NameField } from '@/parts/NameField';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

const FIELDS = ['name', 'description'] as const;

export default function PoolForm({ pool, onClose }: { pool: Pool | undefined; onClose: () => void }) {
  const t = useT();
  const [name, setName] = useState('');
  const [classes, setClasses] = useState(pool?.classes ?? []);
  const [description, setDescription] = useState(pool?.description ?? '');
  const save = useSave({
    save: () => {
      const said = { classes, description: description.trim() };
      return pool ? editPool(pool.name, said) : createPool({ name: name.trim(), ...said });
    },
    close: onClose,
    said: (saved) => t('list.saved', { name: saved.name }),
    invalidate: [ruleKeys.all],
    fields: FIELDS,
  });
  const { mistakes } = save;
  return (
    <FormDialog
      title={pool ? t('list.edit', { name: pool.name }) : t('pools.new')}
      action={t(pool ? 'action.save' : 'pools.create')}
      busy={save.isPending}
      error={save.untold}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {!pool && <NameField value={name} error={mistakes.name} onChange={setName} />}
      <ClassChoice label={t('pools.serves')} chosen={classes} onChange={setClasses} />
      <TextInput
        label={t('list.description')}
        maxLength={1000}
        error={mistakes.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
