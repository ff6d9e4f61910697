/** What is kept of a job's working folder: as versions of datasets, or in volumes. Loaded when the fold is opened. */
import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { datasetKeys, listDatasets } from '@/api/datasets';
import { listVolumes, volumeKeys } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { datasetRef } from '@/parts/datasets/reference';
import { Icon } from '@/ui/icons';
import { outputsOf, textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { ChoiceField, TextField } from './fields';
import { refOf } from './mounting';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const MOST = 20;
/** What stands for something of the job in the folder's path. */
const FILLED = '{name} {run} {attempt} {id}';

export default function Outputs() {
  const t = useT();
  const { file, apply, choices } = useForm();
  const error = useMistake(['outputs']);
  const adder = useRef<HTMLButtonElement>(null);
  const kept = useQuery({ queryKey: datasetKeys.list, queryFn: ({ signal }) => listDatasets(signal), retry: false });
  const found = useQuery({ queryKey: volumeKeys.list, queryFn: ({ signal }) => listVolumes(signal), retry: false });
  const me = choices.me.name;
  const datasets = (kept.data ?? []).filter(({ mode }) => mode === 'rw').map((one) => datasetRef(one, me));
  const volumes = (found.data ?? []).filter(({ mode, kind }) => mode === 'rw' && kind !== 'bucket').map((one) => refOf(one, me));
  const places = [...volumes, 'personal'].map((name) => `${name}:/{name}-{run}/`);
  const outputs = outputsOf(file);
  const add = (output: object) => apply([{ path: ['outputs', outputs.length], value: { path: 'out', ...output } }]);
  const full = outputs.length >= MOST;
  return (
    <div className={style.stack} id={fieldId(['outputs'])}>
      <p className={style.help}>{t('keep.help')}</p>
      {outputs.map((_, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- an output keeps the caret while its path is typed
        <Output key={place} place={place} datasets={datasets} places={places} onRemoved={() => adder.current?.focus()} />
      ))}
      {error && <p className={ink.error}>{error}</p>}
      <div className={style.chips}>
        <Button
          ref={adder}
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" size={12} />}
          disabled={full}
          onClick={() => add({ to: places[0] })}
        >
          {t('keep.addFolder')}
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" size={12} />}
          disabled={full}
          onClick={() => add({ dataset: datasets[0] ?? '' })}
        >
          {t('keep.addVersion')}
        </Button>
      </div>
    </div>
  );
}

interface OutputProps {
  place: number;
  datasets: string[];
  places: string[];
  onRemoved: () => void;
}

function Output({ place, datasets, places, onRemoved }: OutputProps) {
  const t = useT();
  const { file, apply } = useForm();
  const base = ['outputs', place];
  const at = (key: string) => [...base, key];
  const error = useMistake(base);
  const path = textAt(file, at('path'));
  const title = path || t('keep.unnamed', { place: place + 1 });
  const versions = valueAt(file, at('dataset')) !== undefined;
  return (
    <div className={style.card} role="group" aria-label={t('keep.title', { name: title })}>
      <div className={style.cardHead}>
        <h3 className={ink.heading}>{title}</h3>
        <ActionIcon
          aria-label={t('keep.remove', { name: title })}
          title={t('keep.remove', { name: title })}
          onClick={() => (apply([{ path: base }]), onRemoved())}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </div>
      <div className={style.pair}>
        <TextField path={at('path')} label={t('keep.path')} help={t('keep.pathHelp')} mono required keep />
        {versions ? (
          <TextField path={at('dataset')} label={t('keep.dataset')} help={t('keep.datasetHelp')} offers={datasets} mono required keep />
        ) : (
          <TextField path={at('to')} label={t('keep.to')} help={t('keep.toHelp', { names: FILLED })} offers={places} mono required keep />
        )}
        {versions && <TextField path={at('tag')} label={t('keep.tag')} usual={t('keep.noTag')} mono />}
        <TextField path={at('task')} label={t('keep.task')} usual={t('keep.firstTask')} mono />
        <ChoiceField
          path={at('when')}
          label={t('keep.when')}
          choices={[
            { value: 'completed', label: t('keep.completed') },
            { value: 'always', label: t('keep.always') },
          ]}
          standard="completed"
        />
      </div>
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}
