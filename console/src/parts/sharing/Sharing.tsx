/** Who else may use a volume or a dataset: people and projects, to read or to write; everybody; and whether its data are sensitive. */
import '@/ui/theme/kit-forms.css';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { listProjects, projectKeys } from '@/api/rules/projects';
import type { MountMode, VolumeShare } from '@/api/volumes';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { usePeople } from '@/parts/people/usePeople';
import { Suggested } from '@/ui/form/Suggested';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, errorText } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Sharing.module.css';

interface Props {
  /** What is shared. */
  of: { shares: VolumeShare[]; public: boolean; sensitive: boolean; can_edit: boolean };
  /** In place of all that there are. */
  share: (shares: VolumeShare[]) => Promise<unknown>;
  edit: (part: Openness) => Promise<unknown>;
  stale: QueryKey;
  /** What those may do who may write. */
  writes?: MessageKey;
}

interface Openness {
  public?: boolean;
  sensitive?: boolean;
}

const TO_WORDS: Record<VolumeShare['to'], MessageKey> = { user: 'sharing.person', project: 'sharing.project' };
const same = (a: VolumeShare, b: Pick<VolumeShare, 'to' | 'name'>) => a.to === b.to && a.name === b.name;

export default function Sharing({ of, share: send, edit, stale, writes = 'sharing.rw' }: Props) {
  const t = useT();
  const { shares, can_edit: mayEdit } = of;
  const save = useSave({
    save: send,
    invalidate: [stale],
    // The choice goes back to what holds.
    always: true,
  });
  const words: Record<MountMode, string> = { ro: t('sharing.ro'), rw: t(writes) };
  const modes = (Object.keys(words) as MountMode[]).map((value) => ({ value, label: words[value] }));
  const columns: Column<VolumeShare>[] = [
    { id: 'to', header: t('sharing.to'), width: '104px', hideBelow: 'phone', cell: ({ to }) => t(TO_WORDS[to]) },
    { id: 'name', header: t('jobs.name'), cell: ({ name }) => <span className={ink.strong}>{name}</span> },
    {
      id: 'mode',
      header: t('sharing.access'),
      width: '124px',
      cell: (share) =>
        mayEdit ? (
          <select
            aria-label={t('sharing.accessOf', { name: share.name })}
            value={share.mode}
            onChange={({ currentTarget: { value } }) =>
              save.mutate(shares.map((one) => (same(one, share) ? { ...one, mode: value as MountMode } : one)))
            }
          >
            {modes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          words[share.mode]
        ),
    },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '48px',
      align: 'right',
      cell: (share) =>
        mayEdit && (
          <RowButton
            danger
            icon="trash"
            label={t('sharing.unshare', { name: share.name })}
            onClick={() => save.mutate(shares.filter((one) => !same(one, share)))}
          />
        ),
    },
  ];
  return (
    <div className={layout.columns}>
      <Panel title={t('sharing.shared')} flush>
        {shares.length === 0 ? (
          <EmptyState small icon="users" title={t('sharing.unshared')}>
            {t(of.public ? 'sharing.unsharedPublic' : 'sharing.unsharedText')}
          </EmptyState>
        ) : (
          <DataTable label={t('sharing.shared')} columns={columns} rows={shares} rowKey={({ to, name }) => `${to} ${name}`} />
        )}
        {mayEdit && (
          <AddShare
            busy={save.isPending}
            error={save.error}
            modes={modes}
            onAdd={(share) => save.mutateAsync([...shares.filter((one) => !same(one, share)), share])}
          />
        )}
      </Panel>
      <Everybody of={of} edit={edit} stale={stale} />
    </div>
  );
}

interface AddProps {
  busy: boolean;
  error: unknown;
  modes: { value: string; label: string }[];
  onAdd: (share: VolumeShare) => Promise<unknown>;
}

function AddShare({ busy, error, modes, onAdd }: AddProps) {
  const t = useT();
  const [share, setShare] = useState<VolumeShare>({ to: 'user', name: '', mode: 'ro' });
  const people = usePeople();
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal) });
  // In an open project is everybody: for them a volume is public.
  const mine = (projects.data ?? []).filter(({ open, my_role: role }) => !open && role !== null);
  const names = share.to === 'user' ? people : mine.map(({ name }) => name);
  const change = (part: Partial<VolumeShare>) => setShare((old) => ({ ...old, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onAdd({ ...share, name: share.name.trim() }).then(
      () => change({ name: '' }),
      () => undefined,
    );
  };
  return (
    <form className={style.adder} onSubmit={submit}>
      <div className={style.adding}>
        <NativeSelect
          label={t('sharing.to')}
          data={(Object.keys(TO_WORDS) as VolumeShare['to'][]).map((value) => ({ value, label: t(TO_WORDS[value]) }))}
          value={share.to}
          onChange={(event) => change({ to: event.currentTarget.value as VolumeShare['to'], name: '' })}
        />
        <Suggested
          label={t('jobs.name')}
          required
          withAsterisk={false}
          names={names}
          value={share.name}
          onChange={(name) => change({ name })}
        />
        <NativeSelect
          label={t('sharing.access')}
          data={modes}
          value={share.mode}
          onChange={(event) => change({ mode: event.currentTarget.value as MountMode })}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          loading={busy}
          disabled={share.name.trim() === ''}
        >
          {t('sharing.share')}
        </Button>
      </div>
      {error ? (
        <p className={ink.error} role="alert">
          {errorText(error, t)}
        </p>
      ) : null}
    </form>
  );
}

function Everybody({ of: { public: open, sensitive, can_edit: mayEdit }, edit, stale }: Pick<Props, 'of' | 'edit' | 'stale'>) {
  const t = useT();
  const save = useSave({ save: edit, invalidate: [stale], always: true, failed: t('sharing.failed') });
  return (
    <Panel title={t('sharing.everybody')}>
      <div className={style.switches}>
        <Checkbox
          label={t('sharing.publicLabel')}
          description={t('sharing.publicText')}
          checked={open}
          disabled={!mayEdit || save.isPending}
          onChange={(event) => save.mutate({ public: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('sharing.sensitiveLabel')}
          description={t('sharing.sensitiveText')}
          checked={sensitive}
          disabled={!mayEdit || save.isPending}
          onChange={(event) => save.mutate({ sensitive: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}
