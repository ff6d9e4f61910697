/** The tags of a version: taken away, and added; another version loses what is added here. Load it lazily. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { datasetKeys, removeTag, setTag } from '@/api/datasets';
import type { DatasetVersion } from '@/api/datasets';
import { useT } from '@/app/i18n';
import { LATEST } from '@/parts/datasets/reference';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { RowButton } from '@/ui/table/RowButton';
import lists from '@/ui/table/lists.module.css';

interface Props {
  dataset: string;
  version: DatasetVersion;
  onClose: () => void;
}

export default function TagDialog({ dataset, version: { version, tags }, onClose }: Props) {
  const t = useT();
  const [tag, setNew] = useState('');
  const add = useSave({
    save: (name: string) => setTag(dataset, name, version),
    close: () => setNew(''),
    invalidate: [datasetKeys.all],
  });
  const remove = useSave({
    save: (name: string) => removeTag(dataset, name),
    invalidate: [datasetKeys.all],
    failed: t('datasets.failed'),
  });
  const own = tags.filter((one) => one !== LATEST);
  return (
    <FormDialog
      size={440}
      title={t('datasets.tagsOf', { version })}
      action={t('datasets.addTag')}
      busy={add.isPending}
      error={add.error}
      disabled={tag.trim() === ''}
      onSubmit={() => add.mutate(tag.trim())}
      onClose={onClose}
    >
      {own.length > 0 && (
        <ul className={lists.listed} aria-label={t('datasets.tags')}>
          {own.map((one) => (
            <li key={one}>
              <span className={lists.grow}>{one}</span>
              <RowButton danger icon="trash" label={t('datasets.removeTag', { tag: one })} onClick={() => remove.mutate(one)} />
            </li>
          ))}
        </ul>
      )}
      <TextInput
        data-autofocus
        label={t('datasets.tag')}
        description={t('datasets.tagHelp')}
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        value={tag}
        onChange={(event) => {
          setNew(event.currentTarget.value);
          add.reset();
        }}
      />
    </FormDialog>
  );
}
