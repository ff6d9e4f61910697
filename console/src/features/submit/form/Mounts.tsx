/** What tasks find mounted: volumes by name, versions of datasets, and room on the node's own disk. Loaded when the fold is opened. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { datasetKeys, listDatasets, listVersions } from '@/api/datasets';
import type { DatasetRow } from '@/api/datasets';
import { listVolumes, volumeKeys } from '@/api/volumes';
import type { VolumeRow } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { datasetRef, LATEST, splitRef, versionRef } from '@/parts/datasets/reference';
import { Icon } from '@/ui/icons';
import { mountsOf, taskCount, textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { ChoiceField, TextField } from './fields';
import { bestFor, DATASET, datasetAt, datasetGroup, grouped, LOCAL, newPath, refOf, servesWriters, volumeAt } from './mounting';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const NONE: VolumeRow[] = [];
const NO_DATASETS: DatasetRow[] = [];

export default function Mounts() {
  const t = useT();
  const { file, apply, choices } = useForm();
  const error = useMistake(['mounts']);
  const adder = useRef<HTMLButtonElement>(null);
  const found = useQuery({ queryKey: volumeKeys.list, queryFn: ({ signal }) => listVolumes(signal), retry: false });
  const volumes = found.data ?? NONE;
  const kept = useQuery({ queryKey: datasetKeys.list, queryFn: ({ signal }) => listDatasets(signal), retry: false });
  const datasets = kept.data ?? NO_DATASETS;
  const mounts = mountsOf(file);
  const add = (mount: object) => apply([{ path: ['mounts', mounts.length], value: { ...mount, path: newPath(mounts) } }]);
  const best = bestFor(file);
  const serving = volumes.filter((one) => servesWriters(one, file));
  const first = [...serving, ...volumes].find(({ owner }) => owner === choices.me.name) ?? volumes[0];
  const readable = datasets.filter(({ mode, latest }) => mode !== null && latest !== null);
  const dataset = readable.find(({ owner }) => owner === choices.me.name) ?? readable[0];
  return (
    <div className={style.stack} id={fieldId(['mounts'])}>
      <p className={style.help}>{t('mounts.help', { user: choices.me.name })}</p>
      <p className={style.help}>
        {t(best.why, { count: taskCount(file) })}{' '}
        <Link to="/volumes" search={{ make: best.kind }}>
          {t('mounts.newVolume')}
        </Link>
      </p>
      {mounts.map((_, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a mount keeps the caret while its path is typed
        <Mount key={place} place={place} volumes={volumes} datasets={datasets} onRemoved={() => adder.current?.focus()} />
      ))}
      {error && <p className={ink.error}>{error}</p>}
      {found.data?.length === 0 && <p className={style.help}>{t('mounts.noVolumes')}</p>}
      <div className={style.chips}>
        <Button
          ref={adder}
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => add({ volume: first ? refOf(first, choices.me.name) : '' })}
        >
          {t('mounts.addVolume')}
        </Button>
        {dataset && (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => add({ dataset: versionRef(dataset, LATEST, choices.me.name) })}
          >
            {t('mounts.addDataset')}
          </Button>
        )}
        <Button variant="default" size="compact-xs" leftSection={<Icon name="plus" size={12} />} onClick={() => add({ local: '50GiB' })}>
          {t('mounts.addLocal')}
        </Button>
      </div>
    </div>
  );
}

interface Sources {
  place: number;
  volumes: VolumeRow[];
  datasets: DatasetRow[];
}

function Mount({ place, volumes, datasets, onRemoved }: Sources & { onRemoved: () => void }) {
  const t = useT();
  const { file, apply, choices } = useForm();
  const base = ['mounts', place];
  const at = (key: string) => [...base, key];
  const error = useMistake(base);
  const local = valueAt(file, at('local'));
  const isLocal = local !== undefined;
  const dataset = textAt(file, at('dataset'));
  const ref = textAt(file, at('volume'));
  const volume = volumeAt(volumes, ref, choices.me.name);
  const mode = textAt(file, at('mode'));
  // What stands in the file stays to be seen, with the reason beside it.
  const fits = mode === 'rw' || !volume || servesWriters(volume, file);
  const title = isLocal ? t('mounts.local') : ref || dataset || t('mounts.unnamed', { place: place + 1 });
  return (
    <div className={style.card} role="group" aria-label={t('mounts.title', { name: title })}>
      <div className={style.cardHead}>
        <h3 className={ink.heading}>{title}</h3>
        <ActionIcon
          aria-label={t('mounts.remove', { name: title })}
          title={t('mounts.remove', { name: title })}
          onClick={() => (apply([{ path: base }]), onRemoved())}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </div>
      <div className={style.pair}>
        <Source place={place} volumes={volumes} datasets={datasets} />
        <TextField path={at('path')} label={t('mounts.path')} help={t('mounts.pathHelp')} mono required keep />
        {isLocal ? (
          <Size place={place} />
        ) : dataset ? (
          <Version place={place} datasets={datasets} />
        ) : (
          <ChoiceField
            path={at('mode')}
            label={t('mounts.mode')}
            choices={[
              { value: 'ro', label: t('mounts.ro') },
              // Only the server refuses it; what one may not do is not offered.
              ...(volume?.mode === 'ro' || !fits ? [] : [{ value: 'rw', label: t('mounts.rw') }]),
            ]}
            standard="ro"
          />
        )}
        {volume?.kind === 'block' && (
          <ChoiceField
            path={at('busy')}
            label={t('mounts.busy')}
            choices={[
              { value: 'wait', label: t('mounts.wait') },
              { value: 'refuse', label: t('mounts.refuse') },
            ]}
            standard="wait"
          />
        )}
      </div>
      {error && <p className={ink.error}>{error}</p>}
      <Serves place={place} volume={volume} volumes={volumes} />
    </div>
  );
}

function Source({ place, volumes, datasets }: Sources) {
  const t = useT();
  const { file, apply, leave, choices } = useForm();
  const kept = textAt(file, ['mounts', place, 'dataset']);
  const path = ['mounts', place, kept ? 'dataset' : 'volume'];
  const error = useMistake(path);
  const isLocal = valueAt(file, ['mounts', place, 'local']) !== undefined;
  const ref = textAt(file, path);
  const volume = kept ? undefined : volumeAt(volumes, ref, choices.me.name);
  const dataset = datasetAt(datasets, splitRef(kept)[0], choices.me.name);
  const groups = [...grouped(volumes, choices.me.name, t), ...datasetGroup(datasets, choices.me.name, t)];
  const unknown = !isLocal && !volume && !dataset;
  const choose = (value: string) => {
    const { path: where } = (mountsOf(file)[place] ?? {}) as Record<string, unknown>;
    apply([{ path: ['mounts', place], value: { ...sourceOf(value), ...(where !== undefined && { path: where }) } }]);
  };
  return (
    <NativeSelect
      id={fieldId(path)}
      label={t('mounts.source')}
      error={error}
      data={[
        ...(unknown ? [{ value: ref, label: ref || t('mounts.choose') }] : []),
        ...groups,
        { group: t('mounts.onNode'), items: [{ value: LOCAL, label: t('mounts.local') }] },
      ]}
      value={isLocal ? LOCAL : volume ? refOf(volume, choices.me.name) : dataset ? DATASET + datasetRef(dataset, choices.me.name) : ref}
      onBlur={() => leave(path)}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** What a mount begins with, by what was chosen. */
function sourceOf(value: string): object {
  if (value === LOCAL) return { local: '50GiB' };
  return value.startsWith(DATASET) ? { dataset: `${value.slice(DATASET.length)}@${LATEST}` } : { volume: value };
}

/** Which version of a dataset: by number, by a tag, or the newest. */
function Version({ place, datasets }: { place: number; datasets: DatasetRow[] }) {
  const t = useT();
  const { file, apply, choices } = useForm();
  const path = ['mounts', place, 'dataset'];
  const [ref, version] = splitRef(textAt(file, path));
  const dataset = datasetAt(datasets, ref, choices.me.name);
  const { data = [] } = useQuery({
    queryKey: datasetKeys.versions(dataset?.id ?? ''),
    queryFn: ({ signal }) => listVersions(dataset!.id, signal),
    enabled: dataset !== undefined,
  });
  const tags = data.flatMap((one) =>
    one.tags.filter((tag) => tag !== LATEST).map((tag) => ({ value: tag, label: `${tag} · ${one.version}` })),
  );
  const known = [{ value: LATEST, label: t('mounts.latest') }, ...tags, ...data.map((one) => ({ value: one.version, label: one.version }))];
  return (
    <NativeSelect
      label={t('mounts.version')}
      data={known.some(({ value }) => value === version) ? known : [{ value: version, label: version }, ...known]}
      value={version}
      onChange={(event) => apply([{ path, value: `${ref}@${event.currentTarget.value}` }])}
    />
  );
}

/** How much room on the node; nothing said is as much as there is. */
function Size({ place }: { place: number }) {
  const t = useT();
  const path = ['mounts', place, 'local'];
  return (
    <TextField
      path={path}
      label={t('mounts.size')}
      usual={t('mounts.anySize')}
      write={(text) => (text === '' ? true : text)}
      show={(text) => (text === 'true' ? '' : text)}
      keep
    />
  );
}

/** What the kind of the volume means for this job, and what would serve better. */
function Serves({ place, volume, volumes }: { place: number; volume: VolumeRow | undefined; volumes: VolumeRow[] }) {
  const t = useT();
  const { file, apply, choices } = useForm();
  if (valueAt(file, ['mounts', place, 'local']) !== undefined) return <p className={style.help}>{t('mounts.localHelp')}</p>;
  if (textAt(file, ['mounts', place, 'dataset'])) return <p className={style.help}>{t('mounts.datasetHelp')}</p>;
  if (!volume) return null;
  const mode = ['mounts', place, 'mode'];
  const writes = textAt(file, mode) === 'rw';
  if (writes && !servesWriters(volume, file)) {
    const better = volumes.find(({ kind, mode: may }) => kind === 'filesystem' && may === 'rw');
    return (
      <p className={style.proposal}>
        <span className={ink.error}>{t('mounts.blockByMany', { count: taskCount(file) })}</span>
        <Button variant="default" size="compact-xs" onClick={() => apply([{ path: mode }])}>
          {t('mounts.useRo')}
        </Button>
        {better && (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => apply([{ path: ['mounts', place, 'volume'], value: refOf(better, choices.me.name) }])}
          >
            {t('mounts.useVolume', { name: refOf(better, choices.me.name) })}
          </Button>
        )}
      </p>
    );
  }
  if (!servesWriters(volume, file)) return <p className={style.help}>{t('mounts.onlyRead', { count: taskCount(file) })}</p>;
  return <p className={style.help}>{t(volume.kind === 'block' ? 'mounts.blockHelp' : 'mounts.filesystemHelp')}</p>;
}
