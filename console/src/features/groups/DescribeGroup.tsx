/** Saying what a group is for. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { editGroup, groupKeys } from '@/api/groups';
import type { Group } from '@/api/groups';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function DescribeGroup({ group: { name, description: before }, onClose }: { group: Group; onClose: () => void }) {
  const t = useT();
  const [description, setDescription] = useState(before);
  const edit = useSave({
    save: () => editGroup(name, { description: description.trim() }),
    close: onClose,
    invalidate: [groupKeys.all],
    fields: ['description'],
  });
  return (
    <FormDialog
      title={t('groups.describeTitle', { name })}
      action={t('clusters.save')}
      busy={edit.isPending}
      error={edit.untold}
      size={440}
      onSubmit={() => edit.mutate()}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label={t('groups.description')}
        maxLength={1000}
        rows={3}
        error={edit.mistakes.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
