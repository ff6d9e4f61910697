/** A new project: its maker becomes its creator and says who belongs to it. */
import { Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createProject, projectKeys } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function NewProject({ onClose }: { onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const add = useSave({
    save: () => createProject({ name: name.trim(), description: description.trim() }),
    close: onClose,
    invalidate: [projectKeys.all],
    after: (project) => navigate({ to: '/projects/$project', params: { project: project.name } }),
    fields: ['name', 'description'],
  });
  const { mistakes } = add;
  return (
    <FormDialog
      title={t('projects.new')}
      action={t('projects.create')}
      busy={add.isPending}
      error={add.untold}
      size={440}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <p>{t('projects.newText')}</p>
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={t('jobs.name')}
        description={t('projects.nameHint')}
        autoComplete="off"
        spellCheck={false}
        error={mistakes.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('groups.description')}
        rows={2}
        maxLength={1000}
        error={mistakes.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
