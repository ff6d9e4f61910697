/** A new SSH key: what is wrong with it is told at the field, and a private key is never sent. */
import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addSshKey, meKeys } from '@/api/me';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import ink from '@/ui/theme/ink.module.css';

const LONGEST_NAME = 100;

export default function NewKey({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [name, setName] = useState('');
  const [named, setNamed] = useState(false);
  const [key, setKey] = useState('');
  const add = useSave({
    save: () => addSshKey(name.trim(), key.trim()),
    close: onClose,
    said: (added) => t('keys.addedOne', { name: added.name }),
    invalidate: [meKeys.sshKeys],
    fields: ['name', 'key'],
  });
  const secret = key.includes('PRIVATE KEY');
  const { mistakes } = add;
  const type = (text: string) => {
    setKey(text);
    add.reset();
    // As the key's own comment has it, until another name is typed.
    if (!named) setName((text.trim().split(/\s+/, 3)[2] ?? '').slice(0, LONGEST_NAME));
  };
  return (
    <FormDialog
      title={t('keys.add')}
      action={t('keys.add')}
      busy={add.isPending}
      error={add.untold}
      disabled={secret}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        required
        withAsterisk={false}
        label={t('keys.key')}
        description={t('keys.keyHint')}
        classNames={{ input: ink.code! }}
        rows={5}
        spellCheck={false}
        autoComplete="off"
        error={secret ? t('keys.private') : mistakes.key}
        value={key}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <TextInput
        required
        withAsterisk={false}
        label={t('jobs.name')}
        description={t('keys.nameHint')}
        maxLength={LONGEST_NAME}
        autoComplete="off"
        error={mistakes.name}
        value={name}
        onChange={(event) => {
          setNamed(true);
          setName(event.currentTarget.value);
        }}
      />
    </FormDialog>
  );
}
