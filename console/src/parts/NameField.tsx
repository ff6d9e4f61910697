/** The name of a rule or a template. */
import { TextInput } from '@mantine/core';
import { useT } from '@/app/i18n';

interface Props {
  value: string;
  error: string | undefined;
  /** What a name may be made of, where it is not as usual. */
  rule?: string;
  onChange: (name: string) => void;
}

export function NameField({ value, error, rule, onChange }: Props) {
  const t = useT();
  return (
    <TextInput
      data-autofocus
      required
      withAsterisk={false}
      label={t('jobs.name')}
      description={rule ?? t('list.nameRule')}
      maxLength={63}
      autoComplete="off"
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
