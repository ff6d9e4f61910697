/** A filter by a whole name: what is typed counts when the field is left or Enter is pressed. */
import '@/ui/theme/kit-forms.css';
import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface Props {
  label: string;
  /** What no name is called. */
  any: string;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}

export function NameFilter({ label, any, value = '', onChange }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const send = () => text.trim() !== value && onChange(text.trim() || undefined);
  return (
    <TextInput
      aria-label={label}
      placeholder={any}
      w={140}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
