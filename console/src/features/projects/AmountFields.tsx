/** How much of what, for a guarantee or a cap. */
import { TextInput } from '@mantine/core';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import type { AmountsDraft } from './rules-draft';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Projects.module.css';

interface Props {
  legend: string;
  hint: string;
  /** What the fields are called where something is wrong. */
  place: 'guarantee' | 'cap';
  draft: AmountsDraft;
  wrong: ReadonlySet<string>;
  error: string | undefined;
  onChange: (part: Partial<AmountsDraft>) => void;
}

const FIELDS: readonly { name: keyof AmountsDraft; label: MessageKey; wrong: MessageKey; example: string }[] = [
  { name: 'gpus', label: 'projects.gpus', wrong: 'projects.noNumber', example: '16' },
  { name: 'models', label: 'projects.models', wrong: 'projects.noPairs', example: 'A100=8, H800=4' },
  { name: 'cpus', label: 'projects.cpus', wrong: 'projects.noNumber', example: '256' },
  { name: 'memory', label: 'projects.memory', wrong: 'projects.noSize', example: '2TiB' },
];

export function AmountFields({ legend, hint, place, draft, wrong, error, onChange }: Props) {
  const t = useT();
  return (
    <fieldset className={`${layout.bare} ${style.amounts}`}>
      <legend>{legend}</legend>
      <p className={ink.finer}>{hint}</p>
      {error && <p className={ink.error}>{error}</p>}
      <div className={style.four}>
        {FIELDS.map(({ name, label, wrong: mistake, example }) => (
          <TextInput
            key={name}
            label={t(label)}
            description={t('amount.suchAs', { example })}
            autoComplete="off"
            spellCheck={false}
            error={wrong.has(`${place}.${name}`) && t(mistake)}
            value={draft[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
    </fieldset>
  );
}
