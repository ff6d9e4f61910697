/** A filter by a whole name: what is typed counts when the field is left or Enter is pressed, what is chosen at once. */
import { useEffect, useState } from 'react';
import { Suggested } from './Suggested';

interface Props {
  label: string;
  /** What no name is called. */
  any: string;
  names?: readonly string[];
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}

const NONE: readonly string[] = [];

export function NameFilter({ label, any, names = NONE, value = '', onChange }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const send = () => text.trim() !== value && onChange(text.trim() || undefined);
  return (
    <Suggested
      aria-label={label}
      placeholder={any}
      w={140}
      names={names}
      value={text}
      onChange={(next) => (names.includes(next) ? onChange(next) : setText(next))}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
