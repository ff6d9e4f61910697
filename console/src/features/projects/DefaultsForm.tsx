/** What jobs of the project get that name no size or image; its creators say so too. */
import '@/ui/theme/kit-forms.css';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { flavorKeys, listFlavors } from '@/api/rules/flavors';
import { editProject, projectKeys } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { Refused } from '@/parts/Refused';
import { useSave } from '@/parts/useSave';
import { Panel } from '@/ui/page/Panel';
import layout from '@/ui/page/layout.module.css';

const FIELDS = ['description', 'default_flavor', 'default_image'];

type Fields = Pick<Project, 'description' | 'default_flavor' | 'default_image'>;

export function DefaultsForm({ project }: { project: Project }) {
  const t = useT();
  // Only what was typed: the rest follows what the server has.
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const { description, default_flavor: flavor, default_image: image } = { ...project, ...typed };
  const type = (part: Partial<Fields>) => setTyped((old) => ({ ...old, ...part }));
  const flavors = useQuery({ queryKey: flavorKeys.all, queryFn: ({ signal }) => listFlavors(signal) });
  const names = [...new Set([...(flavors.data?.map((one) => one.name) ?? []), ...(flavor ? [flavor] : [])])];
  const save = useSave({
    save: () => editProject(project.name, trimmed(typed)),
    said: t('projects.saved'),
    invalidate: [projectKeys.all],
    after: () => setTyped({}),
    fields: FIELDS,
  });
  const { mistakes } = save;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title={t('projects.settings')}>
      <form className={layout.form} onSubmit={submit}>
        <TextInput
          label={t('groups.description')}
          maxLength={1000}
          error={mistakes.description}
          value={description}
          onChange={(event) => type({ description: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('projects.defaultFlavor')}
          description={t('projects.defaultFlavorHint')}
          error={mistakes.default_flavor}
          data={[{ value: '', label: t('projects.noDefault') }, ...names]}
          value={flavor}
          onChange={(event) => type({ default_flavor: event.currentTarget.value })}
        />
        <TextInput
          label={t('projects.defaultImage')}
          description={t('projects.defaultImageHint')}
          error={mistakes.default_image}
          autoComplete="off"
          spellCheck={false}
          value={image}
          onChange={(event) => type({ default_image: event.currentTarget.value })}
        />
        <Refused error={save.untold} />
        <div className={layout.buttons}>
          <Button type="submit" variant="default" disabled={Object.keys(typed).length === 0} loading={save.isPending}>
            {t('clusters.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function trimmed(fields: Partial<Fields>): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text.trim()]));
}
