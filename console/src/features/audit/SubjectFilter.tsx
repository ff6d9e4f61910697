/** To what something was done: a kind of thing, and one of them by its name. */
import { useT } from '@/app/i18n';
import { FilterSelect } from '@/ui/form/FilterSelect';
import { NameFilter } from '@/ui/form/NameFilter';
import { KINDS } from './kinds';

interface Props {
  /** As the log has it: `project:nlp`, or `project:` for all projects. */
  value: string | undefined;
  onChange: (subject: string | undefined) => void;
}

export function SubjectFilter({ value, onChange }: Props) {
  const t = useT();
  const [kind = '', ...name] = value?.split(':') ?? [];
  const choices = Object.entries(KINDS).map(([known, word]) => ({ value: known, label: t(word) }));
  return (
    <>
      <FilterSelect
        label={t('audit.subject')}
        any={t('audit.anySubject')}
        choices={choices}
        value={kind || undefined}
        onChange={(chosen) => onChange(chosen && `${chosen}:`)}
      />
      {kind !== '' && kind !== 'audit' && (
        <NameFilter
          label={t('audit.name')}
          any={t(HINTS[kind] ?? 'audit.anyName')}
          value={name.join(':') || undefined}
          onChange={(one) => onChange(`${kind}:${one ?? ''}`)}
        />
      )}
    </>
  );
}

/** Where the name has two parts. */
const HINTS: Partial<Record<string, 'audit.jobName' | 'audit.quotaName'>> = {
  job: 'audit.jobName',
  volume: 'audit.jobName',
  quota: 'audit.quotaName',
};
