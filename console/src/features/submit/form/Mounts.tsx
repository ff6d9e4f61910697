/** What tasks find mounted: volumes by name, and room on the node's own disk. Loaded when the fold is opened. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { listVolumes, volumeKeys } from '@/api/volumes';
import type { VolumeRow } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { mountsOf, taskCount, textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { ChoiceField, TextField } from './fields';
import { grouped, LOCAL, newPath, refOf, volumeAt } from './mounting';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const NONE: VolumeRow[] = [];

export default function Mounts() {
  const t = useT();
  const { file, apply, choices } = useForm();
  const error = useMistake(['mounts']);
  const adder = useRef<HTMLButtonElement>(null);
  const found = useQuery({ queryKey: volumeKeys.list, queryFn: ({ signal }) => listVolumes(signal), retry: false });
  const volumes = found.data ?? NONE;
  const mounts = mountsOf(file);
  const add = (mount: object) => apply([{ path: ['mounts', mounts.length], value: { ...mount, path: newPath(mounts) } }]);
  const first = volumes.find(({ owner }) => owner === choices.me.name) ?? volumes[0];
  return (
    <div className={style.stack} id={fieldId(['mounts'])}>
      <p className={style.help}>{t('mounts.help', { user: choices.me.name })}</p>
      {mounts.map((_, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- a mount keeps the caret while its path is typed
        <Mount key={place} place={place} volumes={volumes} onRemoved={() => adder.current?.focus()} />
      ))}
      {error && <p className={ink.error}>{error}</p>}
      {found.data?.length === 0 && (
        <p className={style.help}>
          {t('mounts.noVolumes')} <Link to="/volumes">{t('mounts.toVolumes')}</Link>
        </p>
      )}
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
        <Button variant="default" size="compact-xs" leftSection={<Icon name="plus" size={12} />} onClick={() => add({ local: '50GiB' })}>
          {t('mounts.addLocal')}
        </Button>
      </div>
    </div>
  );
}

function Mount({ place, volumes, onRemoved }: { place: number; volumes: VolumeRow[]; onRemoved: () => void }) {
  const t = useT();
  const { file, apply, choices } = useForm();
  const base = ['mounts', place];
  const at = (key: string) => [...base, key];
  const error = useMistake(base);
  const local = valueAt(file, at('local'));
  const isLocal = local !== undefined;
  const ref = textAt(file, at('volume'));
  const volume = volumeAt(volumes, ref, choices.me.name);
  const title = isLocal ? t('mounts.local') : ref || t('mounts.unnamed', { place: place + 1 });
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
        <Source place={place} volumes={volumes} />
        <TextField path={at('path')} label={t('mounts.path')} help={t('mounts.pathHelp')} mono required keep />
        {isLocal ? (
          <Size place={place} />
        ) : (
          <ChoiceField
            path={at('mode')}
            label={t('mounts.mode')}
            choices={[
              { value: 'ro', label: t('mounts.ro') },
              // Only the server refuses it; what one may not do is not offered.
              ...(volume?.mode === 'ro' ? [] : [{ value: 'rw', label: t('mounts.rw') }]),
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

function Source({ place, volumes }: { place: number; volumes: VolumeRow[] }) {
  const t = useT();
  const { file, apply, leave, choices } = useForm();
  const path = ['mounts', place, 'volume'];
  const error = useMistake(path);
  const isLocal = valueAt(file, ['mounts', place, 'local']) !== undefined;
  const ref = textAt(file, path);
  const volume = volumeAt(volumes, ref, choices.me.name);
  const groups = grouped(volumes, choices.me.name, t);
  const unknown = !isLocal && !volume;
  const choose = (value: string) => {
    const { volume: _volume, local: _local, mode: _mode, busy: _busy, ...rest } = (mountsOf(file)[place] ?? {}) as Record<string, unknown>;
    const source = value === LOCAL ? { local: '50GiB' } : { volume: value };
    apply([{ path: ['mounts', place], value: { ...source, ...rest } }]);
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
      value={isLocal ? LOCAL : volume ? refOf(volume, choices.me.name) : ref}
      onBlur={() => leave(path)}
      onChange={(event) => choose(event.currentTarget.value)}
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
  if (!volume) return null;
  const mode = ['mounts', place, 'mode'];
  const writes = textAt(file, mode) === 'rw';
  if (volume.kind === 'block' && writes && taskCount(file) > 1) {
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
  return <p className={style.help}>{t(volume.kind === 'block' ? 'mounts.blockHelp' : 'mounts.filesystemHelp')}</p>;
}
