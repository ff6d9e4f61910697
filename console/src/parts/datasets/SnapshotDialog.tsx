/** What a folder of a volume holds becomes a version of a dataset, a new one or one that is there. Load it lazily. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { createDataset, datasetKeys, listDatasets, makeSnapshot } from '@/api/datasets';
import type { Dataset, DatasetRow } from '@/api/datasets';
import { shownPath } from '@/api/files';
import { GIVEN, listVolumeFiles, listVolumes, volumeFileUrl, volumeKeys } from '@/api/volumes';
import type { Given, VolumeFiles } from '@/api/volumes';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { Folders } from '@/parts/files/Folders';
import type { FileSource } from '@/parts/files/source';
import { Way } from '@/parts/files/Way';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { datasetRef } from './reference';
import ink from '@/ui/theme/ink.module.css';
import lists from '@/ui/table/lists.module.css';
import layout from '@/ui/page/layout.module.css';

/** A folder, by the name of its volume. */
export interface SnapshotPlace {
  volume: string;
  name: string;
  path: string;
}

interface Props {
  /** It gets the version; one chooses, where it is left out. */
  dataset?: Pick<Dataset, 'id' | 'name'>;
  /** Becomes the version; one chooses, where it is left out. */
  place?: SnapshotPlace;
  onClose: () => void;
}

const NEW = '';
const NONE: DatasetRow[] = [];
const GIVEN_NAMES: Record<Given, MessageKey> = { personal: 'volumes.personal', archive: 'volumes.archive' };

export default function SnapshotDialog({ dataset: fixed, place: given, onClose }: Props) {
  const t = useT();
  const navigate = useNavigate();
  const [into, setInto] = useState(fixed?.id ?? NEW);
  const [fields, setFields] = useState({ name: '', tags: '', note: '', reread: false });
  const [place, setPlace] = useState(given ?? { volume: 'personal', name: '', path: '' });
  /** Made by a try that was refused afterwards: the next one goes on with it. */
  const made = useRef<{ id: string; name: string }>(undefined);
  const name = fields.name.trim();
  const save = useSave({
    save: async () => {
      const dataset = into === NEW ? await datasetFor(name) : into;
      await makeSnapshot(dataset, {
        volume: place.volume,
        path: place.path,
        tags: tagsOf(fields.tags),
        note: fields.note.trim(),
        reread: fields.reread,
      });
      return dataset;
    },
    close: onClose,
    invalidate: [datasetKeys.all],
    always: true,
    leads: (dataset) => navigate({ to: '/datasets/$dataset', params: { dataset }, search: { tab: 'versions' } }),
    fields: ['name', 'volume', 'path', 'tags', 'note'],
  });
  const datasetFor = async (called: string): Promise<string> => {
    if (made.current?.name !== called) made.current = await createDataset(called);
    return made.current.id;
  };
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  return (
    <FormDialog
      title={fixed ? t('datasets.snapshotOf', { name: fixed.name }) : t('datasets.new')}
      action={t('datasets.snapshot')}
      busy={save.isPending}
      error={save.untold}
      disabled={into === NEW && name === ''}
      size={560}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {given ? (
        <p className={ink.quiet}>{t('datasets.snapshotText', { place: `${given.name}:/${shownPath(given.path)}` })}</p>
      ) : (
        <PlaceField place={place} error={mistakes.volume ?? mistakes.path} onPlace={setPlace} />
      )}
      {!fixed && (
        <div className={lists.pair}>
          <IntoField value={into} onChange={setInto} />
          {into === NEW && (
            <TextInput
              label={t('datasets.newName')}
              required
              withAsterisk={false}
              placeholder={t('datasets.nameExample')}
              maxLength={63}
              autoComplete="off"
              spellCheck={false}
              error={mistakes.name}
              value={fields.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </div>
      )}
      <div className={lists.pair}>
        <TextInput
          label={t('datasets.tags')}
          description={t('datasets.tagsHelp')}
          autoComplete="off"
          spellCheck={false}
          error={mistakes.tags}
          value={fields.tags}
          onChange={(event) => change({ tags: event.currentTarget.value })}
        />
        <TextInput
          label={t('datasets.note')}
          description={t('datasets.noteHelp')}
          maxLength={500}
          error={mistakes.note}
          value={fields.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      </div>
      <Checkbox
        label={t('datasets.reread')}
        description={t('datasets.rereadHelp')}
        checked={fields.reread}
        onChange={(event) => change({ reread: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

const tagsOf = (text: string): string[] => text.split(/[\s,，、;；]+/).filter((tag) => tag !== '');

function IntoField({ value, onChange }: { value: string; onChange: (dataset: string) => void }) {
  const t = useT();
  const me = useMe();
  const { data = NONE } = useQuery({ queryKey: datasetKeys.list, queryFn: ({ signal }) => listDatasets(signal) });
  const writable = data.filter(({ mode }) => mode === 'rw');
  return (
    <NativeSelect
      label={t('datasets.into')}
      data={[{ value: NEW, label: t('datasets.aNewOne') }, ...writable.map((one) => ({ value: one.id, label: datasetRef(one, me.name) }))]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function PlaceField({
  place,
  error,
  onPlace,
}: {
  place: SnapshotPlace;
  error: string | undefined;
  onPlace: (place: SnapshotPlace) => void;
}) {
  const t = useT();
  const me = useMe();
  const { data = [] } = useQuery({ queryKey: volumeKeys.list, queryFn: ({ signal }) => listVolumes(signal) });
  const volumes = [
    ...GIVEN.map((one) => ({ value: one as string, label: t(GIVEN_NAMES[one]) })),
    ...data
      .filter(({ mode }) => mode !== null)
      .map(({ id, owner, name, title }) => ({ value: id, label: owner === me.name ? name : title })),
  ];
  const name = volumes.find(({ value }) => value === place.volume)?.label ?? place.name;
  const source = useMemo(() => sourceOf(place.volume, name), [place.volume, name]);
  const walk = (path: string) => onPlace({ ...place, path });
  return (
    <fieldset className={layout.bare}>
      <div className={layout.rows}>
        <NativeSelect
          label={t('datasets.place')}
          description={t('datasets.placeHelp')}
          data={volumes}
          error={error}
          value={place.volume}
          onChange={(event) => onPlace({ volume: event.currentTarget.value, name: '', path: '' })}
        />
        <div>{place.path === '' ? <b>{t('datasets.allOf', { name })}</b> : <Way path={place.path} name={name} onGo={walk} />}</div>
        <Folders source={source} path={place.path} onPath={walk} />
      </div>
    </fieldset>
  );
}

function sourceOf(volume: string, name: string): FileSource<VolumeFiles> {
  return {
    key: volumeKeys.files(volume),
    name,
    list: (path, order, cursor, signal) => listVolumeFiles(volume, path, order, cursor, signal),
    url: (path) => volumeFileUrl(volume, path),
  };
}
