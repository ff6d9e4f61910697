/** Asking a project's creators to be let in. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { askToJoin, requestKeys } from '@/api/requests';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function JoinProject({ project, onClose }: { project: string; onClose: () => void }) {
  const t = useT();
  const [note, setNote] = useState('');
  const join = useSave({
    save: () => askToJoin(project, note.trim()),
    close: onClose,
    said: t('projects.joinSent', { name: project }),
    invalidate: [requestKeys.all],
    fields: ['note'],
  });
  return (
    <FormDialog
      title={t('projects.joinName', { name: project })}
      action={t('projects.sendRequest')}
      busy={join.isPending}
      error={join.untold}
      size={440}
      onSubmit={() => join.mutate()}
      onClose={onClose}
    >
      <p>{t('projects.joinText')}</p>
      <Textarea
        data-autofocus
        label={t('projects.note')}
        description={t('projects.noteHint')}
        rows={3}
        maxLength={1000}
        error={join.mistakes.note}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
