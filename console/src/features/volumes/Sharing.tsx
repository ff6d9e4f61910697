/** Who else may use a volume: people and projects, to read or to write; everybody; and whether its data are sensitive. */
import '@/ui/theme/kit-forms.css';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { editVolume, shareVolume, volumeKeys } from '@/api/volumes';
import type { MountMode, Volume, VolumeShare } from '@/api/volumes';
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
import style from './Volumes.module.css';

const MODE_WORDS: Record<MountMode, MessageKey> = { ro: 'volumes.ro', rw: 'volumes.rw' };
const TO_WORDS: Record<VolumeShare['to'], MessageKey> = { user: 'volumes.person', project: 'volumes.project' };
const same = (a: VolumeShare, b: Pick<VolumeShare, 'to' | 'name'>) => a.to === b.to && a.name === b.name;

export default function Sharing({ volume }: { volume: Volume }) {
  const t = useT();
  const { id, shares, can_edit: mayEdit } = volume;
  const save = useSave({
    save: (next: VolumeShare[]) => shareVolume(id, next),
    invalidate: [volumeKeys.all],
    // The choice goes back to what holds.
    always: true,
  });
  const modes = (Object.keys(MODE_WORDS) as MountMode[]).map((value) => ({ value, label: t(MODE_WORDS[value]) }));
  const columns: Column<VolumeShare>[] = [
    { id: 'to', header: t('volumes.to'), width: '104px', hideBelow: 'phone', cell: ({ to }) => t(TO_WORDS[to]) },
    { id: 'name', header: t('jobs.name'), cell: ({ name }) => <span className={ink.strong}>{name}</span> },
    {
      id: 'mode',
      header: t('volumes.access'),
      width: '124px',
      cell: (share) =>
        mayEdit ? (
          <select
            aria-label={t('volumes.accessOf', { name: share.name })}
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
          t(MODE_WORDS[share.mode])
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
            label={t('volumes.unshare', { name: share.name })}
            onClick={() => save.mutate(shares.filter((one) => !same(one, share)))}
          />
        ),
    },
  ];
  return (
    <div className={layout.columns}>
      <Panel title={t('volumes.shared')} flush>
        {shares.length === 0 ? (
          <EmptyState small icon="users" title={t('volumes.unshared')}>
            {t(volume.public ? 'volumes.unsharedPublic' : 'volumes.unsharedText')}
          </EmptyState>
        ) : (
          <DataTable label={t('volumes.shared')} columns={columns} rows={shares} rowKey={({ to, name }) => `${to} ${name}`} />
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
      <Openness volume={volume} />
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
          label={t('volumes.to')}
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
          label={t('volumes.access')}
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
          {t('volumes.share')}
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

function Openness({ volume: { id, public: open, sensitive, can_edit: mayEdit } }: { volume: Volume }) {
  const t = useT();
  const save = useSave({
    save: (part: { public?: boolean; sensitive?: boolean }) => editVolume(id, part),
    invalidate: [volumeKeys.all],
    always: true,
    failed: t('volumes.failed'),
  });
  return (
    <Panel title={t('volumes.everybody')}>
      <div className={style.switches}>
        <Checkbox
          label={t('volumes.publicLabel')}
          description={t('volumes.publicText')}
          checked={open}
          disabled={!mayEdit || save.isPending}
          onChange={(event) => save.mutate({ public: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('volumes.sensitiveLabel')}
          description={t('volumes.sensitiveText')}
          checked={sensitive}
          disabled={!mayEdit || save.isPending}
          onChange={(event) => save.mutate({ sensitive: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}
