/** Empties nodes by a deadline: shows what runs there first and what becomes of it. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { drainNodes, nodeKeys } from '@/api/nodes';
import type { MessageKey } from '@/app/i18n';
import { listed, useT } from '@/app/i18n';
import { GivingWay } from '@/parts/machines/AffectedJobs';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import type { DialogProps } from './useNodeDialogs';
import ink from '@/ui/theme/ink.module.css';

const DEADLINES: readonly { value: string; word: MessageKey; count: number }[] = [
  { value: '1m', word: 'nodes.minutes', count: 1 },
  { value: '10m', word: 'nodes.minutes', count: 10 },
  { value: '30m', word: 'nodes.minutes', count: 30 },
  { value: '1h', word: 'nodes.hours', count: 1 },
  { value: '4h', word: 'nodes.hours', count: 4 },
  { value: '12h', word: 'nodes.hours', count: 12 },
  { value: '1d', word: 'nodes.hours', count: 24 },
];

export default function DrainDialog({ nodes, onDone, onClose }: DialogProps) {
  const t = useT();
  const names = nodes.map(({ name }) => name);
  const [deadline, setDeadline] = useState('30m');
  const [note, setNote] = useState('');
  const preview = useQuery({ queryKey: ['drain', names, deadline], queryFn: () => drainNodes(names, deadline, '', true), gcTime: 0 });
  const drain = useSave({
    save: () => drainNodes(names, deadline, note.trim(), false),
    close: () => {
      onClose();
      onDone();
    },
    said: t('nodes.drainDone', { count: names.length }),
    invalidate: [nodeKeys.all],
  });
  return (
    <FormDialog
      danger
      title={names.length === 1 ? t('nodes.drainTitle', { name: names[0]! }) : t('nodes.drainMany', { count: names.length })}
      action={t('nodes.drain')}
      busy={drain.isPending}
      error={drain.error}
      disabled={!preview.data}
      onSubmit={() => drain.mutate()}
      onClose={onClose}
    >
      {names.length > 1 && <p className={ink.fine}>{listed(names)}</p>}
      <p>{t('nodes.drainText')}</p>
      <NativeSelect
        data-autofocus
        label={t('nodes.deadline')}
        data={DEADLINES.map(({ value, word, count }) => ({ value, label: t(word, { count }) }))}
        value={deadline}
        onChange={(event) => setDeadline(event.currentTarget.value)}
      />
      <TextInput
        label={t('nodes.note')}
        description={t('nodes.noteHint')}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {preview.isPending && <Skeleton rows={3} />}
      {preview.isError && <ErrorState small error={preview.error} retry={() => void preview.refetch()} />}
      {preview.data && (
        <>
          {preview.data.drain_by && (
            <p className={ink.fine}>
              {t('nodes.emptyBy')} <Exact at={preview.data.drain_by} />
            </p>
          )}
          <GivingWay jobs={preview.data.jobs} />
        </>
      )}
    </FormDialog>
  );
}
