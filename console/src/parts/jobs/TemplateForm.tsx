/** A template: a job file that is kept under a name, or one that is renamed, described or shared. Load it lazily. */
import '@/ui/theme/kit-choices.css';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobFile } from '@/api/jobs';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { createTemplate, editTemplate, templateKeys } from '@/api/templates';
import type { TemplateRow } from '@/api/templates';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { NameField } from '@/parts/NameField';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

interface Props {
  /** The one that is changed. */
  template?: TemplateRow;
  /** The file that is kept. */
  job?: JobFile;
  /** What a new one might be called. */
  suggested?: string;
  onClose: () => void;
}

export default function TemplateForm({ template, job, suggested = '', onClose }: Props) {
  const t = useT();
  const [fields, setFields] = useState({
    name: template?.name ?? suggested,
    description: template?.description ?? '',
    project: template?.project ?? null,
  });
  const projects = useSharedWith(template?.project);
  const save = useSave({
    save: () => {
      const said = { ...fields, name: fields.name.trim(), description: fields.description.trim() };
      return template ? editTemplate(template.id, said) : createTemplate(said, job ?? {});
    },
    close: onClose,
    said: ({ name }) => t(template ? 'list.saved' : 'templates.saved', { name }),
    invalidate: [templateKeys.all],
    fields: ['name', 'description', 'project'],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  return (
    <FormDialog
      title={template ? t('list.edit', { name: template.name }) : t('templates.save')}
      action={t('action.save')}
      busy={save.isPending}
      error={save.untold}
      size={440}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <NameField value={fields.name} error={mistakes.name} onChange={(name) => change({ name })} />
      <TextInput
        label={t('list.description')}
        maxLength={1000}
        error={mistakes.description}
        value={fields.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Select
        label={t('templates.shared')}
        description={t('templates.sharedHelp')}
        placeholder={t('templates.private')}
        clearable
        searchable
        nothingFoundMessage={t('templates.noProject')}
        error={mistakes.project}
        data={projects}
        value={fields.project}
        onChange={(project) => change({ project })}
      />
    </FormDialog>
  );
}

/** The projects that the person may share with: those they may queue in, and the one it is shared with. */
function useSharedWith(now: string | null | undefined): string[] {
  const governs = useMayEverywhere('project:write');
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal) });
  const usable = (projects.data ?? []).filter(
    ({ name, open, my_role: role }) => open || governs || role === 'creator' || role === 'member' || name === now,
  );
  return usable.map(({ name }) => name);
}
