/** Inputs bound to a path of the job file: they show what stands there and write what is typed. */
import { InputBase, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useT } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { textAt } from '../file/reading';
import { AdviceAt } from './AdviceAt';
import { fieldId, useAdvice, useForm, useMistake } from './context';
import style from './Form.module.css';

interface Field {
  path: Path;
  label: string;
  /** What it is for, and its bounds. */
  help?: ReactNode;
  /** What an empty field comes to. It stands below: inside it would look as if it were filled in. */
  usual?: string | undefined;
  /** What one may write there. */
  example?: string | undefined;
}

interface TextProps extends Field {
  required?: boolean;
  mono?: boolean;
  /** Numbers and the like: what the file gets for what was typed. */
  write?: (text: string) => unknown;
  /** A last touch when the field is left. */
  settle?: (text: string) => string;
  /** What the input shows of what the file says. */
  show?: (text: string) => string;
  /** Words to choose from. */
  offers?: string[];
  numeric?: boolean;
  /** An emptied field keeps its key in the file. */
  keep?: boolean;
}

export function TextField({ path, label, help, usual, example, required, mono, offers, numeric, ...rest }: TextProps) {
  const typed = useTyped(path, rest);
  const about = useAbout(path, help, usual, example);
  const list = offers && offers.length > 0 ? `${fieldId(path)}-offers` : undefined;
  return (
    <div className={style.field}>
      <TextInput
        {...typed}
        label={label}
        description={about}
        withAsterisk={required}
        aria-required={required}
        inputMode={numeric ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
        list={list}
        classNames={mono ? { input: style.mono } : undefined}
      />
      {list && <Offers id={list} words={offers ?? []} />}
    </div>
  );
}

/** What an input proposes while one types. */
export function Offers({ id, words }: { id: string; words: string[] }) {
  return (
    <datalist id={id}>
      {words.map((word) => (
        <option key={word} value={word}>
          {word}
        </option>
      ))}
    </datalist>
  );
}

/** What a field is for, what it is if left empty, and what could be better about what stands in it. */
function useAbout(path: Path, help: ReactNode, usual?: string, example?: string): ReactNode {
  const t = useT();
  const advised = useAdvice([path]).length > 0;
  const more = [usual && t('form.usual', { value: usual }), example && t('form.example', { value: example })].filter(Boolean).join(' · ');
  if (!advised && more === '') return help;
  return (
    <>
      {help}
      {help && more && ' · '}
      {more} {advised && <AdviceAt path={path} />}
    </>
  );
}

interface TextAreaProps extends Field {
  required?: boolean;
  mono?: boolean;
  rows: number;
  write?: (text: string) => unknown;
  /** What the input shows of what the file says. */
  show?: (text: string) => string;
  keep?: boolean;
}

export function TextAreaField({ path, label, help, usual, example, required, mono, rows, ...rest }: TextAreaProps) {
  const typed = useTyped(path, rest);
  const about = useAbout(path, help, usual, example);
  return (
    <InputBase
      {...typed}
      component="textarea"
      multiline
      size="xs"
      label={label}
      description={about}
      withAsterisk={required}
      aria-required={required}
      rows={Math.min(16, Math.max(rows, typed.value.split('\n').length))}
      spellCheck={!mono}
      classNames={{ input: mono ? `${style.area} ${style.mono}` : style.area }}
    />
  );
}

interface Writing {
  write?: ((text: string) => unknown) | undefined;
  settle?: ((text: string) => string) | undefined;
  show?: ((text: string) => string) | undefined;
  keep?: boolean | undefined;
}

/** While the caret is in it, an input shows what was typed, even where the file says it more briefly. */
function useTyped(path: Path, { write, settle, show, keep }: Writing) {
  const form = useForm();
  const error = useMistake(path);
  const [typed, setTyped] = useState<string | null>(null);
  const inFile = textAt(form.file, path);
  const send = (text: string) => form.apply([{ path, value: text === '' && !keep ? undefined : write ? write(text) : text }]);
  return {
    id: fieldId(path),
    value: typed ?? (show ? show(inFile) : inFile),
    error,
    onChange: (event: { currentTarget: { value: string } }) => {
      form.typing(path);
      setTyped(event.currentTarget.value);
      send(event.currentTarget.value);
    },
    onBlur: () => {
      if (typed !== null && settle && settle(typed) !== typed) send(settle(typed));
      setTyped(null);
      form.leave(path);
    },
  };
}

interface ChoiceProps extends Field {
  choices: { value: string; label: string }[];
  /** What it is when the file says nothing; choosing it removes the key. */
  standard: string;
  /** In place of writing it: where other keys follow from it. */
  onChoose?: (value: string) => void;
}

export function ChoiceField({ path, label, help, choices, standard, onChoose }: ChoiceProps) {
  const form = useForm();
  const error = useMistake(path);
  const about = useAbout(path, help);
  const value = textAt(form.file, path) || standard;
  const known = choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      id={fieldId(path)}
      label={label}
      description={about}
      error={error}
      data={known ? choices : [...choices, { value, label: value }]}
      value={value}
      onBlur={() => form.leave(path)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        if (onChoose) onChoose(chosen);
        else form.apply([{ path, value: chosen === standard ? undefined : chosen }]);
      }}
    />
  );
}
