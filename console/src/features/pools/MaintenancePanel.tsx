/** Maintenance windows: planned, changed, cancelled. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { cancelMaintenance, listMaintenance } from '@/api/maintenance';
import type { Maintenance } from '@/api/types';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { RowButton } from '@/ui/table/RowButton';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import style from '@/ui/table/lists.module.css';

const MaintenanceForm = lazy(() => import('@/parts/machines/MaintenanceForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

const STATES: Record<Maintenance['state'], { word: MessageKey; tone?: string }> = {
  planned: { word: 'maintenance.planned' },
  now: { word: 'maintenance.now', tone: 'amber' },
  past: { word: 'maintenance.past' },
};

type Open = { what: 'form'; window?: Maintenance } | { what: 'cancel'; window: Maintenance };

export function MaintenancePanel() {
  const t = useT();
  const mayWrite = useMayEverywhere('node:write');
  const [open, setOpen] = useState<Open | null>(null);
  const windows = useQuery({ queryKey: keys.maintenance, queryFn: ({ signal }) => listMaintenance(signal), refetchInterval: pollWithoutLive });
  const columns = useColumns(mayWrite, setOpen);
  const close = () => setOpen(null);
  const plan = mayWrite && <Button variant="default" leftSection={<Icon name="calendar" />} onClick={() => setOpen({ what: 'form' })}>{t('maintenance.plan')}</Button>;
  return (
    <Panel title={t('maintenance.title')} aside={plan} flush>
      {windows.isPending && <Skeleton rows={3} />}
      {windows.isError && !windows.data && <ErrorState small error={windows.error} retry={() => void windows.refetch()} />}
      {windows.data?.length === 0 && <EmptyState small icon="calendar" title={t('maintenance.none')}>{t('maintenance.noneText')}</EmptyState>}
      {windows.data && windows.data.length > 0 && <DataTable label={t('maintenance.title')} columns={columns} rows={windows.data} rowKey={({ name }) => name} />}
      <Suspense fallback={null}>
        {open?.what === 'form' && <MaintenanceForm window={open.window} onClose={close} />}
        {open?.what === 'cancel' && <RemoveRule name={open.window.name} text={t('maintenance.cancelText')} remove={cancelMaintenance} onClose={close} />}
      </Suspense>
    </Panel>
  );
}

function useColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<Maintenance>[] {
  const t = useT();
  return useMemo(() => [
    { id: 'name', header: t('jobs.name'), width: '16%', cell: ({ name }) => <span className={style.name} title={name}>{name}</span> },
    { id: 'state', header: t('maintenance.state'), width: '104px', cell: ({ state }) => <span className={style.tag} data-tone={STATES[state].tone}>{t(STATES[state].word)}</span> },
    { id: 'start', header: t('maintenance.start'), width: '212px', hideBelow: 'phone', cell: ({ start }) => <Exact at={start} /> },
    { id: 'end', header: t('maintenance.end'), width: '212px', hideBelow: 'tablet', cell: ({ end }) => <Exact at={end} /> },
    { id: 'where', header: t('maintenance.where'), cell: (window) => <Where window={window} /> },
    { id: 'description', header: t('maintenance.why'), hideBelow: 'desktop', cell: ({ description }) => <span className={style.quiet} title={description}>{description}</span> },
    ...(mayWrite ? [{
      id: 'actions', header: t('jobs.actions'), hiddenHeader: true, width: '84px', align: 'right' as const,
      cell: (window: Maintenance) => (
        <span className={style.rowActions}>
          {window.state !== 'past' && <RowButton icon="edit" label={t('list.edit', { name: window.name })} onClick={() => onOpen({ what: 'form', window })} />}
          <RowButton danger icon="trash" label={t('list.remove', { name: window.name })} onClick={() => onOpen({ what: 'cancel', window })} />
        </span>
      ),
    }] : []),
  ], [t, mayWrite, onOpen]);
}

function Where({ window: { pool, nodes } }: { window: Maintenance }) {
  const t = useT();
  if (pool) return t('nodes.inPool', { pool });
  return <span title={nodes.join(', ')}>{nodes.join(', ')}</span>;
}
