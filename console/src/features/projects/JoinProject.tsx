/** Asking a project's creators to be let in. */
import { Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '@/api/keys';
import { askToJoin } from '@/api/requests';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { mistakesOf, standsAt } from '@/parts/mistakes';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function JoinProject({ project, onClose }: { project: string; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const join = useMutation({
    mutationFn: () => askToJoin(project, note.trim()),
    onSuccess: async () => {
      onClose();
      notify({ message: t('projects.joinSent', { name: project }) });
      await client.invalidateQueries({ queryKey: keys.requests });
    },
  });
  const error = standsAt(join.error, ['note']) ? undefined : join.error;
  return (
    <FormDialog title={t('projects.joinName', { name: project })} action={t('projects.sendRequest')} busy={join.isPending} error={error} size={440} onSubmit={() => join.mutate()} onClose={onClose}>
      <p>{t('projects.joinText')}</p>
      <Textarea
        data-autofocus
        label={t('projects.note')}
        description={t('projects.noteHint')}
        rows={3}
        maxLength={1000}
        error={mistakesOf(join.error).note}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
