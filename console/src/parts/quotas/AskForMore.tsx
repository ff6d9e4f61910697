/** Asks those who may give more: how much, for how long, and what for. */
import { InputBase, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { askForQuota } from '@/api/rules/quotas';
import type { AskedAmounts } from '@/api/rules/quotas';
import type { Shortfall } from '@/api/types';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { amountsOf, cellOf, typed } from './grid';
import type { Cells } from './grid';
import { LIVES } from './lives';
import { className, resourceName } from './words';

export default function AskForMore({ shortfalls, onClose }: { shortfalls: readonly Shortfall[]; onClose: () => void }) {
  const t = useT();
  const [cells, setCells] = useState<Cells>(() =>
    Object.fromEntries(shortfalls.map((one) => [cellOf(one.class, one.resource), typed(one.resource, one.used + one.asked)])),
  );
  const [life, setLife] = useState('7d');
  const [note, setNote] = useState('');
  const ask = useSave({
    save: () => askForQuota(amountsOf(cells) as AskedAmounts, life, note.trim()),
    close: onClose,
    said: t('quota.asked'),
    fields: /^amounts\./,
  });
  return (
    <FormDialog
      title={t('quota.askForMore')}
      action={t('quota.ask')}
      busy={ask.isPending}
      error={ask.error}
      onSubmit={() => ask.mutate()}
      onClose={onClose}
    >
      <p>{t('quota.askText')}</p>
      {shortfalls.map((one) => {
        const cell = cellOf(one.class, one.resource);
        return (
          <TextInput
            key={cell}
            label={`${className(one.class, t)}: ${resourceName(one.resource, t)}`}
            description={t('quota.nowLimit', { limit: typed(one.resource, one.limit) })}
            error={ask.mistakes[`amounts.${cell}`]}
            autoComplete="off"
            value={cells[cell] ?? ''}
            onChange={(event) => setCells({ ...cells, [cell]: event.currentTarget.value })}
          />
        );
      })}
      <NativeSelect
        label={t('quota.forHowLong')}
        data={LIVES.map(({ value, word, count }) => ({ value, label: t(word, { count }) }))}
        value={life}
        onChange={(event) => setLife(event.currentTarget.value)}
      />
      <InputBase
        component="textarea"
        multiline
        size="xs"
        rows={3}
        data-autofocus
        required
        withAsterisk={false}
        maxLength={1000}
        label={t('quota.whatFor')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
