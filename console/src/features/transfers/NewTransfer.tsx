/** A new transfer: from where, where to, and how; at once, or again and again. Load it lazily. */
import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { createSchedule, createTransfer, transferKeys } from '@/api/transfers';
import type { OnExisting, TransferCreate } from '@/api/transfers';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { timeZone } from '@/app/time-zone';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

const EXISTING: Record<OnExisting, MessageKey> = {
  update: 'transfers.update',
  overwrite: 'transfers.overwrite',
  refuse: 'transfers.refuse',
};
const FIELDS = ['source', 'target', 'ref', 'sha256', 'include', 'exclude', 'existing', 'unpack', 'cron', 'zone'] as const;

export default function NewTransfer({ into, onClose }: { into: string | undefined; onClose: () => void }) {
  const t = useT();
  const [fields, setFields] = useState({
    source: '',
    target: into ?? '',
    ref: '',
    sha256: '',
    include: '',
    exclude: '',
    existing: 'update' as OnExisting,
    unpack: false,
    user: '',
    secret: '',
    cron: '',
  });
  const source = fields.source.trim();
  const git = source.startsWith('git+');
  const web = /^https?:/.test(source);
  const zone = ownZone();
  const again = fields.cron.trim() !== '';
  const save = useSave<unknown>({
    save: () => (again ? createSchedule({ ...bodyOf(fields), cron: fields.cron.trim(), zone }) : createTransfer(bodyOf(fields))),
    close: onClose,
    said: t(again ? 'transfers.scheduled' : 'transfers.begun'),
    invalidate: [transferKeys.all],
    fields: [...FIELDS],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  return (
    <FormDialog
      title={t('transfers.new')}
      action={t(again ? 'transfers.schedule' : 'transfers.begin')}
      busy={save.isPending}
      error={save.untold}
      disabled={source === '' || fields.target.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('transfers.source')}
        description={t('transfers.sourceText')}
        placeholder="https://example.org/data.tar.gz"
        error={mistakes.source}
        value={fields.source}
        onChange={(event) => change({ source: event.currentTarget.value })}
      />
      <TextInput
        required
        label={t('transfers.target')}
        description={t('transfers.targetText')}
        placeholder="personal:/data/"
        error={mistakes.target}
        value={fields.target}
        onChange={(event) => change({ target: event.currentTarget.value })}
      />
      {git && (
        <TextInput
          label={t('transfers.ref')}
          description={t('transfers.refText')}
          error={mistakes.ref}
          value={fields.ref}
          onChange={(event) => change({ ref: event.currentTarget.value })}
        />
      )}
      {web && (
        <TextInput
          label={t('transfers.sha256')}
          description={t('transfers.sha256Text')}
          error={mistakes.sha256}
          value={fields.sha256}
          onChange={(event) => change({ sha256: event.currentTarget.value })}
        />
      )}
      {!git && (
        <Switch
          label={t('transfers.unpack')}
          checked={fields.unpack}
          error={mistakes.unpack}
          onChange={(event) => change({ unpack: event.currentTarget.checked })}
        />
      )}
      {(git || web) && (
        <>
          <TextInput
            label={t('transfers.user')}
            description={t('transfers.userText')}
            autoComplete="off"
            value={fields.user}
            onChange={(event) => change({ user: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('transfers.secret')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            value={fields.secret}
            onChange={(event) => change({ secret: event.currentTarget.value })}
          />
        </>
      )}
      <TextInput
        label={t('transfers.include')}
        description={t('transfers.globsText')}
        error={mistakes.include}
        value={fields.include}
        onChange={(event) => change({ include: event.currentTarget.value })}
      />
      <TextInput
        label={t('transfers.exclude')}
        error={mistakes.exclude}
        value={fields.exclude}
        onChange={(event) => change({ exclude: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('transfers.existing')}
        data={(Object.keys(EXISTING) as OnExisting[]).map((value) => ({ value, label: t(EXISTING[value]) }))}
        error={mistakes.existing}
        value={fields.existing}
        onChange={(event) => change({ existing: event.currentTarget.value as OnExisting })}
      />
      <TextInput
        label={t('transfers.cronField')}
        description={t('transfers.cronText', { zone })}
        placeholder="30 2 * * *"
        error={mistakes.cron ?? mistakes.zone}
        value={fields.cron}
        onChange={(event) => change({ cron: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

interface Fields {
  source: string;
  target: string;
  ref: string;
  sha256: string;
  include: string;
  exclude: string;
  existing: OnExisting;
  unpack: boolean;
  user: string;
  secret: string;
}

/** What does not go with the source is left out. */
function bodyOf(fields: Fields): TransferCreate {
  const source = fields.source.trim();
  const git = source.startsWith('git+');
  const web = /^https?:/.test(source);
  return {
    source,
    target: fields.target.trim(),
    existing: fields.existing,
    ref: git ? fields.ref.trim() : '',
    sha256: web ? fields.sha256.trim().toLowerCase() : '',
    unpack: !git && fields.unpack,
    include: words(fields.include),
    exclude: words(fields.exclude),
    login: (git || web) && fields.secret !== '' ? { user: fields.user.trim(), secret: fields.secret } : null,
  };
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The person's choice, or the browser's own. */
const ownZone = (): string => timeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
