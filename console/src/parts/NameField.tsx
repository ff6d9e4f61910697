/** The name of a rule or a template. */
import { TextInput } from '@mantine/core';
import { useT } from '@/app/i18n';

export function NameField({ value, error, onChange }: { value: string; error: string | undefined; onChange: (name: string) => void }) {
  const t = useT();
  return (
    <TextInput
      data-autofocus
      required
      withAsterisk={false}
      label={t('jobs.name')}
      description={t('list.nameRule')}
      maxLength={63}
      autoComplete="off"
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
