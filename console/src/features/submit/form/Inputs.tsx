/** What is fetched into volumes before the job starts. Loaded when the fold is opened. */
import { ActionIcon, Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { listVolumes, volumeKeys } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { inputsOf, textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { ChoiceField, TextField } from './fields';
import { refOf } from './mounting';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const MOST = 20;

export default function Inputs() {
  const t = useT();
  const { file, apply, choices } = useForm();
  const error = useMistake(['inputs']);
  const adder = useRef<HTMLButtonElement>(null);
  const { data: volumes = [] } = useQuery({ queryKey: volumeKeys.list, queryFn: ({ signal }) => listVolumes(signal), retry: false });
  const inputs = inputsOf(file);
  const writable = volumes.filter(({ mode }) => mode === 'rw').map((volume) => `${refOf(volume, choices.me.name)}:/`);
  const usual = mountedPlace(file, writable) ?? writable[0] ?? 'personal:/';
  return (
    <div className={style.stack} id={fieldId(['inputs'])}>
      <p className={style.help}>{t('inputs.help')}</p>
      {inputs.map((_, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- an input keeps the caret while its source is typed
        <Input key={place} place={place} targets={['personal:/', ...writable]} onRemoved={() => adder.current?.focus()} />
      ))}
      {error && <p className={ink.error}>{error}</p>}
      <div>
        <Button
          ref={adder}
          variant="default"
          size="compact-xs"
          disabled={inputs.length >= MOST}
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => apply([{ path: ['inputs', inputs.length], value: { from: '', to: usual } }])}
        >
          {t('inputs.add')}
        </Button>
      </div>
    </div>
  );
}

/** A volume that the job mounts anyway comes first. */
function mountedPlace(file: object, writable: string[]): string | undefined {
  const mounts: unknown = valueAt(file, ['mounts']);
  const mounted = Array.isArray(mounts) ? mounts.map((mount) => `${textAt(mount, ['volume'])}:/`) : [];
  return writable.find((place) => mounted.includes(place));
}

function Input({ place, targets, onRemoved }: { place: number; targets: string[]; onRemoved: () => void }) {
  const t = useT();
  const { file, apply } = useForm();
  const base = ['inputs', place];
  const at = (key: string) => [...base, key];
  const error = useMistake(base);
  const wrong = useMistake(at('unpack'));
  const source = textAt(file, at('from'));
  const title = source || t('inputs.unnamed', { place: place + 1 });
  const web = /^https?:/i.test(source);
  return (
    <div className={style.card} role="group" aria-label={t('inputs.title', { name: title })}>
      <div className={style.cardHead}>
        <h3 className={ink.heading}>{title}</h3>
        <ActionIcon
          aria-label={t('inputs.remove', { name: title })}
          title={t('inputs.remove', { name: title })}
          onClick={() => (apply([{ path: base }]), onRemoved())}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      </div>
      <TextField path={at('from')} label={t('inputs.from')} help={t('inputs.fromHelp')} mono required keep />
      <div className={style.pair}>
        <TextField path={at('to')} label={t('inputs.to')} help={t('inputs.toHelp')} offers={targets} mono required keep />
        <ChoiceField
          path={at('existing')}
          label={t('inputs.existing')}
          choices={[
            { value: 'update', label: t('inputs.update') },
            { value: 'overwrite', label: t('inputs.overwrite') },
            { value: 'refuse', label: t('inputs.refuse') },
          ]}
          standard="update"
        />
        {source.startsWith('git+') && <TextField path={at('ref')} label={t('inputs.ref')} help={t('inputs.refHelp')} mono />}
        {web && <TextField path={at('sha256')} label="SHA-256" help={t('inputs.sha256Help')} mono />}
      </div>
      {!source.startsWith('git+') && (
        <Checkbox
          size="xs"
          label={t('inputs.unpack')}
          error={wrong}
          checked={valueAt(file, at('unpack')) === true}
          onChange={(event) => apply([{ path: at('unpack'), value: event.currentTarget.checked || undefined }])}
        />
      )}
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}
