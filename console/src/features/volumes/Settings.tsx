/** What can be changed of a volume: its name, what it says of itself, its capacity, and that it is there. */
import '@/ui/theme/kit-forms.css';
import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { lazy, Suspense, useState } from 'react';
import { editVolume, volumeKeys } from '@/api/volumes';
import type { Volume } from '@/api/volumes';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { NameField } from '@/parts/NameField';
import { parseSize, writeSize } from '@/parts/quantities';
import { useSave } from '@/parts/useSave';
import { Facts, Notice, Panel } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes } from '@/ui/words/format';
import { Exact } from '@/ui/words/Time';
import { Place } from './attach/Place';
import { CapacityField } from './CapacityField';
import { KIND_WORDS } from './words';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

const HELD_BY = { storage: 'volumes.heldByStorage', ending_jobs: 'volumes.endsJobs', measured: 'volumes.measured' } as const;

const DeleteVolume = lazy(() => import('./DeleteVolume'));

export default function Settings({ volume }: { volume: Volume }) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  const { can_edit: mayEdit, trashed_at: trashed } = volume;
  return (
    <div className={layout.columns}>
      <div className={layout.column}>
        {mayEdit && trashed === null ? <Form key={volume.id} volume={volume} /> : null}
        {volume.source && <Place volume={volume} mayEdit={mayEdit && trashed === null} />}
        <Panel title={t('volumes.about')}>
          <About volume={volume} />
        </Panel>
      </div>
      {mayEdit && trashed === null && (
        <Panel title={t('volumes.delete')}>
          <div className={layout.stack}>
            <p className={ink.quiet}>{t('volumes.deleteHelp')}</p>
            <div>
              <Button color="red" variant="light" onClick={() => setDeleting(true)}>
                {t('volumes.toTrash')}
              </Button>
            </div>
          </div>
        </Panel>
      )}
      <Suspense fallback={null}>{deleting && <DeleteVolume volume={volume} onClose={() => setDeleting(false)} />}</Suspense>
    </div>
  );
}

function Form({ volume }: { volume: Volume }) {
  const t = useT();
  const was = { name: volume.name, description: volume.description, capacity: writeSize(volume.capacity) };
  const [fields, setFields] = useState(was);
  const capacity = parseSize(fields.capacity);
  const save = useSave({
    save: () =>
      editVolume(volume.id, {
        ...(fields.name.trim() !== was.name && { name: fields.name.trim() }),
        ...(fields.description.trim() !== was.description && { description: fields.description.trim() }),
        ...(capacity !== null && capacity !== volume.capacity && { capacity }),
      }),
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [volumeKeys.all],
    fields: ['name', 'description', 'capacity'],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const changed = JSON.stringify(fields) !== JSON.stringify(was);
  return (
    <Panel title={t('volumes.settings')}>
      <form className={layout.form} onSubmit={submit}>
        <NameField rule={t('volumes.nameRule')} value={fields.name} error={save.mistakes.name} onChange={(name) => change({ name })} />
        <TextInput
          label={t('list.description')}
          maxLength={1000}
          error={save.mistakes.description}
          value={fields.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        {volume.source === null && (
          <CapacityField
            kind={volume.kind}
            value={fields.capacity}
            has={volume.capacity}
            error={save.mistakes.capacity}
            onChange={(text) => change({ capacity: text })}
          />
        )}
        {save.untold ? <Notice tone="red" icon="warning" title={errorText(save.untold, t)} role="alert" /> : null}
        <div className={layout.buttons}>
          <Button type="submit" loading={save.isPending} disabled={!changed || capacity === null}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** With what happens there. */
function capacityOf({ capacity, enforcement, most }: Volume, t: Translate): string {
  if (enforcement === 'none') return '–';
  return `${formatBytes(capacity)} · ${t(HELD_BY[enforcement], { most: formatBytes(most ?? capacity) })}`;
}

function About({ volume }: { volume: Volume }) {
  const t = useT();
  return (
    <Facts
      items={[
        [t('volumes.kind'), t(KIND_WORDS[volume.kind])],
        [t('volumes.capacity'), capacityOf(volume, t)],
        [t('volumes.entries'), volume.entries === null ? '–' : String(volume.entries)],
        [t('volumes.cluster'), volume.cluster],
        ...(volume.claim ? [[t('volumes.claim'), volume.claim] satisfies [string, string]] : []),
        ...(volume.storage_class ? [[t('volumes.storageClass'), volume.storage_class] satisfies [string, string]] : []),
        ...(volume.made?.kept ? [[t('volumes.deleted'), t('volumes.keptByCluster')] satisfies [string, string]] : []),
        [t('jobs.owner'), volume.owner],
        [t('volumes.since'), <Exact key="since" at={volume.created_at} />],
        [
          t('volumes.inFiles'),
          <span key="title">
            <code>{volume.title}</code> <Copy text={volume.title} label={t('volumes.copyTitle')} size={22} />
          </span>,
        ],
      ]}
    />
  );
}
