/** The same change for many flavors. */
import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { editFlavors } from '@/api/rules/flavors';
import type { JobClass } from '@/api/rules/flavors';
import { ruleKeys } from '@/api/rules/keys';
import { listed, useT } from '@/app/i18n';
import { ClassChoice } from '@/parts/ClassChoice';
import { Outcomes, refusedIn } from '@/parts/Outcomes';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import ink from '@/ui/theme/ink.module.css';

export default function EditMany({ names, onClose }: { names: string[]; onClose: () => void }) {
  const t = useT();
  const [classes, setClasses] = useState<JobClass[] | null>(null);
  const [description, setDescription] = useState<string | null>(null);
  const edit = useSave({
    save: () => editFlavors(names, { ...(classes && { classes }), ...(description !== null && { description: description.trim() }) }),
    stays: (outcomes) => refusedIn(outcomes).length > 0,
    close: onClose,
    said: t('flavors.changed', { count: names.length }),
    invalidate: [ruleKeys.all],
  });
  return (
    <FormDialog
      title={t('flavors.editMany', { count: names.length })}
      action={t('action.save')}
      busy={edit.isPending}
      error={edit.error}
      disabled={classes === null && description === null}
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <p className={ink.fine}>{listed(names)}</p>
      <Checkbox
        data-autofocus
        label={t('flavors.changeClasses')}
        checked={classes !== null}
        onChange={(event) => setClasses(event.currentTarget.checked ? [] : null)}
      />
      {classes !== null && <ClassChoice label={t('flavors.classes')} chosen={classes} onChange={setClasses} />}
      <Checkbox
        label={t('flavors.changeDescription')}
        checked={description !== null}
        onChange={(event) => setDescription(event.currentTarget.checked ? '' : null)}
      />
      {description !== null && (
        <TextInput
          label={t('list.description')}
          maxLength={1000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      )}
      <Outcomes outcomes={edit.data} />
    </FormDialog>
  );
}
