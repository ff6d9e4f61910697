/** Saying what a group is for. */
import { Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@/api/keys';
import { editGroup } from '@/api/people';
import type { Group } from '@/api/types';
import { useT } from '@/app/i18n';
import { mistakesOf, standsAt } from '@/parts/mistakes';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function DescribeGroup({ group: { name, description: before }, onClose }: { group: Group; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [description, setDescription] = useState(before);
  const edit = useMutation({
    mutationFn: () => editGroup(name, { description: description.trim() }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.groups });
    },
  });
  const error = standsAt(edit.error, ['description']) ? undefined : edit.error;
  return (
    <FormDialog title={t('groups.describeTitle', { name })} action={t('clusters.save')} busy={edit.isPending} error={error} size={440} onSubmit={() => edit.mutate()} onClose={onClose}>
      <Textarea
        data-autofocus
        label={t('groups.description')}
        maxLength={1000}
        rows={3}
        error={mistakesOf(edit.error).description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
