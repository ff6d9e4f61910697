/** What can be changed of a dataset: its name, what it says of itself, its licence, and that it is there. */
import '@/ui/theme/kit-forms.css';
import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { lazy, Suspense, useState } from 'react';
import { datasetKeys, editDataset } from '@/api/datasets';
import type { Dataset } from '@/api/datasets';
import { useT } from '@/app/i18n';
import { NameField } from '@/parts/NameField';
import { useSave } from '@/parts/useSave';
import { Suggested } from '@/ui/form/Suggested';
import { Facts, Notice, Panel } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

const DeleteDataset = lazy(() => import('./DeleteDataset'));
const LICENCES = ['CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0', 'ODbL-1.0', 'Apache-2.0', 'MIT'];

export default function Settings({ dataset }: { dataset: Dataset }) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  const mayEdit = dataset.can_edit && dataset.trashed_at === null;
  return (
    <div className={layout.columns}>
      <div className={layout.column}>
        {mayEdit && <Form key={dataset.id} dataset={dataset} />}
        <Panel title={t('datasets.about')}>
          <Facts
            items={[
              [t('jobs.owner'), dataset.owner],
              [t('volumes.since'), <Exact key="since" at={dataset.created_at} />],
              [t('datasets.licence'), dataset.licence || '–'],
              [t('volumes.inFiles'), <code key="title">{dataset.title}</code>],
            ]}
          />
        </Panel>
      </div>
      {mayEdit && (
        <Panel title={t('volumes.delete')}>
          <div className={layout.stack}>
            <p className={ink.quiet}>{t('datasets.deleteHelp')}</p>
            <div>
              <Button color="red" variant="light" onClick={() => setDeleting(true)}>
                {t('volumes.toTrash')}
              </Button>
            </div>
          </div>
        </Panel>
      )}
      <Suspense fallback={null}>{deleting && <DeleteDataset dataset={dataset} onClose={() => setDeleting(false)} />}</Suspense>
    </div>
  );
}

function Form({ dataset }: { dataset: Dataset }) {
  const t = useT();
  const was = { name: dataset.name, description: dataset.description, licence: dataset.licence };
  const [fields, setFields] = useState(was);
  const trimmed = { name: fields.name.trim(), description: fields.description.trim(), licence: fields.licence.trim() };
  const changed = Object.fromEntries(Object.entries(trimmed).filter(([key, value]) => value !== was[key as keyof typeof was]));
  const save = useSave({
    save: () => editDataset(dataset.id, changed),
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [datasetKeys.all],
    fields: ['name', 'description', 'licence'],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title={t('volumes.settings')}>
      <form className={layout.form} onSubmit={submit}>
        <NameField rule={t('datasets.nameRule')} value={fields.name} error={save.mistakes.name} onChange={(name) => change({ name })} />
        <TextInput
          label={t('list.description')}
          maxLength={1000}
          error={save.mistakes.description}
          value={fields.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Suggested
          label={t('datasets.licence')}
          description={t('datasets.licenceHelp')}
          maxLength={200}
          names={LICENCES}
          error={save.mistakes.licence}
          value={fields.licence}
          onChange={(licence) => change({ licence })}
        />
        {save.untold ? <Notice tone="red" icon="warning" title={errorText(save.untold, t)} role="alert" /> : null}
        <div className={layout.buttons}>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
