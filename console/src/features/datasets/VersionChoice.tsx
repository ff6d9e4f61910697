/** One of the versions of a dataset, the newest first. */
import '@/ui/theme/kit-forms.css';
import { NativeSelect } from '@mantine/core';
import type { DatasetVersion } from '@/api/datasets';
import style from './Datasets.module.css';

interface Props {
  label: string;
  versions: readonly DatasetVersion[];
  value: string;
  /** What stands for none of them. */
  none?: string;
  onChange: (version: string) => void;
}

export function VersionChoice({ label, versions, value, none, onChange }: Props) {
  const known = versions.some(({ version }) => version === value);
  return (
    <NativeSelect
      className={style.choice}
      aria-label={label}
      data={[
        ...(known && none === undefined ? [] : [{ value: '', label: none ?? '–' }]),
        ...versions.map(({ version, tags }) => ({ value: version, label: [version, ...tags].join(' · ') })),
      ]}
      value={known ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
