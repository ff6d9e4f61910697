/** Names with values, as rows: variables, labels. A name reaches the file when its field is left, a value at once. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Path } from '@/parts/jobs/job-file-edit';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { entriesAt, textOf } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { Offers } from './fields';
import layout from '@/ui/page/layout.module.css';
import style from './Form.module.css';

const NOTHING: Record<string, string[]> = {};

interface Props {
  path: Path;
  /** What one row is called: "Variable". */
  noun: string;
  add: string;
  /** Names to choose from, each with its values. */
  offers?: Record<string, string[]>;
}

export function Rows({ path, noun, add, offers = NOTHING }: Props) {
  const form = useForm();
  const [adding, setAdding] = useState(false);
  const adder = useRef<HTMLButtonElement>(null);
  const entries = entriesAt(form.file, path);
  const rows = adding ? [...entries, ['', ''] as const] : entries;
  const taken = new Set(entries.map(([name]) => name));
  return (
    <div className={layout.rows} id={fieldId(path)}>
      {rows.map(([name, value], at) => (
        <Row
          // oxlint-disable-next-line react/no-array-index-key -- a row keeps the caret when it gets its name, or another one
          key={at}
          path={path}
          noun={noun}
          name={name}
          value={textOf(value)}
          taken={taken}
          offers={offers}
          onGone={at === entries.length ? () => setAdding(false) : undefined}
          onRemoved={() => adder.current?.focus()}
        />
      ))}
      <div>
        <Button
          ref={adder}
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => setAdding(true)}
        >
          {add}
        </Button>
      </div>
    </div>
  );
}

interface RowProps extends Omit<Props, 'add' | 'offers'> {
  name: string;
  value: string;
  taken: ReadonlySet<string>;
  offers: Record<string, string[]>;
  /** A row that is not in the file yet was given up, or got there. */
  onGone?: (() => void) | undefined;
  /** The focus needs another place. */
  onRemoved: () => void;
}

function Row({ path, noun, name, value, taken, offers, onGone, onRemoved }: RowProps) {
  const t = useT();
  const form = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const [ahead, setAhead] = useState('');
  const at = [...path, name];
  const error = useMistake(at);
  const isNew = onGone !== undefined;
  const shown = typed ?? name;
  const twice = shown !== name && taken.has(shown);

  const settleName = () => {
    if (typed === null || typed === name || twice) return;
    if (isNew && typed !== '') {
      form.apply([{ path: [...path, typed], value: ahead }]);
      onGone();
    } else if (typed !== '') form.apply([{ path: at, rename: typed }]);
    setTyped(null);
  };
  const lists = `${fieldId(path)}-${isNew ? 'new' : name}`;
  return (
    <div className={style.row}>
      <TextInput
        aria-label={t('form.rowName', { noun })}
        placeholder={t('form.name')}
        classNames={{ input: style.mono }}
        autoFocus={isNew}
        autoComplete="off"
        spellCheck={false}
        list={`${lists}-names`}
        value={shown}
        error={twice ? t('form.twice', { name: shown }) : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={settleName}
        onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && settleName()}
      />
      <Offers id={`${lists}-names`} words={Object.keys(offers)} />
      <TextInput
        id={isNew ? undefined : fieldId(at)}
        aria-label={shown ? t('form.rowValueOf', { name: shown }) : t('form.rowValue', { noun })}
        placeholder={t('form.value')}
        classNames={{ input: style.mono }}
        autoComplete="off"
        spellCheck={false}
        list={`${lists}-values`}
        value={isNew ? ahead : value}
        error={error}
        onBlur={() => form.leave(at)}
        onChange={(event) => {
          form.typing(at);
          if (isNew) setAhead(event.currentTarget.value);
          else form.apply([{ path: at, value: event.currentTarget.value }]);
        }}
      />
      <Offers id={`${lists}-values`} words={offers[shown] ?? []} />
      <ActionIcon
        aria-label={t('form.removeRow', { name: shown || noun })}
        title={t('form.removeRow', { name: shown || noun })}
        onClick={() => {
          if (isNew) onGone();
          else form.apply([{ path: at }]);
          onRemoved();
        }}
      >
        <Icon name="trash" size={14} />
      </ActionIcon>
    </div>
  );
}
