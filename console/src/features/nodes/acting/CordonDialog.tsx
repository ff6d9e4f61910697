/** Asks before nodes take no more work, and says that what runs there goes on. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { listed, useT } from '@/app/i18n';
import { Outcomes } from '@/parts/Outcomes';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { useCordon } from './useCordon';
import type { DialogProps } from './useNodeDialogs';
import ink from '@/ui/theme/ink.module.css';

export default function CordonDialog({ nodes, onDone, onClose }: DialogProps) {
  const t = useT();
  const [note, setNote] = useState('');
  const cordon = useCordon(nodes, () => {
    onDone();
    onClose();
  });
  const count = nodes.length;
  return (
    <FormDialog
      title={count === 1 ? t('nodes.cordonTitle', { name: nodes[0]!.name }) : t('nodes.cordonMany', { count })}
      action={t('nodes.cordon')}
      busy={cordon.isPending}
      error={cordon.error}
      onSubmit={() => cordon.mutate({ cordoned: true, note: note.trim() })}
      onClose={onClose}
    >
      {count > 1 && <p className={ink.fine}>{listed(nodes.map(({ name }) => name))}</p>}
      <p>
        {t('nodes.cordonText')} {t('nodes.cordonRunning', { count: nodes.reduce((sum, { tasks }) => sum + tasks.length, 0) })}
      </p>
      <TextInput
        data-autofocus
        label={t('nodes.note')}
        description={t('nodes.noteHint')}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Outcomes outcomes={cordon.data} />
    </FormDialog>
  );
}
