/** One filter of a list: any, or one of several. */
import '@/ui/theme/kit-forms.css';
import { NativeSelect } from '@mantine/core';

interface Props<Value extends string> {
  label: string;
  /** What no choice is called. */
  any: string;
  choices: readonly { value: Value; label: string }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

export function FilterSelect<Value extends string>({ label, any, choices, value, onChange }: Props<Value>) {
  const known = value === undefined || choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: '', label: any }, ...known]}
      value={value ?? ''}
      onChange={(event) => onChange((event.currentTarget.value || undefined) as Value | undefined)}
    />
  );
}
