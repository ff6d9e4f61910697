/** One's SSH keys: with them one comes into workspaces. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { listSshKeys, meKeys, removeSshKey } from '@/api/me';
import type { SshKey } from '@/api/me';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import style from './Profile.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const NewKey = lazy(() => import('./NewKey'));

export function SshKeys() {
  const t = useT();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SshKey | null>(null);
  const found = useQuery({ queryKey: meKeys.sshKeys, queryFn: ({ signal }) => listSshKeys(signal) });
  const remove = useSave({
    save: (key: SshKey) => removeSshKey(key.id),
    close: () => setRemoving(null),
    invalidate: [meKeys.sshKeys],
    failed: t('keys.removeFailed'),
  });
  const columns = useKeyColumns(setRemoving);
  const add = (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
      {t('keys.add')}
    </Button>
  );
  return (
    <Panel title={t('keys.title')} aside={add} flush>
      {found.isPending && <Skeleton rows={3} />}
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.data?.length === 0 && (
        <EmptyState icon="key" title={t('keys.none')}>
          {t('keys.noneText')}
        </EmptyState>
      )}
      {found.data && found.data.length > 0 && (
        <DataTable label={t('keys.title')} columns={columns} rows={found.data} rowKey={(key) => key.id} />
      )}
      <Suspense fallback={null}>
        {adding && <NewKey onClose={() => setAdding(false)} />}
        {removing && (
          <Confirm
            title={t('keys.removeName', { name: removing.name })}
            text={t('keys.removeText')}
            action={t('keys.remove')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(removing)}
            onClose={() => setRemoving(null)}
          />
        )}
      </Suspense>
    </Panel>
  );
}

function useKeyColumns(onRemove: (key: SshKey) => void): Column<SshKey>[] {
  const t = useT();
  return useMemo(
    () => [
      { id: 'name', header: t('jobs.name'), width: '26%', cell: (key) => <span title={key.name}>{key.name}</span> },
      {
        id: 'fingerprint',
        header: t('keys.fingerprint'),
        cell: (key) => (
          <span className="mono" title={`${key.type} ${key.fingerprint}`}>
            {key.type} {key.fingerprint}
          </span>
        ),
      },
      { id: 'created', header: t('keys.added'), width: '104px', hideBelow: 'phone', cell: (key) => <Ago at={key.created_at} /> },
      {
        id: 'actions',
        header: t('jobs.actions'),
        hiddenHeader: true,
        width: '92px',
        align: 'right',
        cell: (key) => (
          <button
            type="button"
            className={style.revoke}
            aria-label={t('keys.removeName', { name: key.name })}
            onClick={() => onRemove(key)}
          >
            {t('keys.remove')}
          </button>
        ),
      },
    ],
    [t, onRemove],
  );
}
