/**
 * A field for a name out of a set that is known: one types to find it, or chooses; what is not listed may still be typed.
 * The list is the browser's own: the kit's weighs more than the pages that need it.
 */
import '@/ui/theme/kit-forms.css';
import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useId } from 'react';

type Props = Omit<TextInputProps, 'list' | 'onChange'> & { names: readonly string[]; onChange: (text: string) => void };

export function Suggested({ names, onChange, ...rest }: Props) {
  const id = useId();
  return (
    <>
      <TextInput
        list={names.length > 0 ? id : undefined}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...rest}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
