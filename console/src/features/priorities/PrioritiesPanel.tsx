/** Priority classes: the higher the value, the sooner. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { listPriorities, removePriority } from '@/api/rules';
import type { PriorityClass } from '@/api/types';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { RowButton } from '@/ui/table/RowButton';
import { ErrorState, Skeleton } from '@/ui/page/States';
import style from '@/ui/table/lists.module.css';

const PriorityForm = lazy(() => import('./PriorityForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

type Open = { what: 'form'; priority?: PriorityClass } | { what: 'remove'; priority: PriorityClass };

export function PrioritiesPanel() {
  const t = useT();
  const mayWrite = useMayEverywhere('priority:write');
  const [open, setOpen] = useState<Open | null>(null);
  const priorities = useQuery({ queryKey: keys.priorities, queryFn: ({ signal }) => listPriorities(signal), refetchInterval: pollWithoutLive });
  const rows = useMemo(() => priorities.data?.toSorted((a, b) => b.value - a.value), [priorities.data]);
  const columns = useColumns(mayWrite, setOpen);
  const close = () => setOpen(null);
  const add = mayWrite && <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'form' })}>{t('priorities.new')}</Button>;
  return (
    <Panel title={t('priorities.classes')} aside={add} flush>
      {priorities.isPending && <Skeleton rows={4} />}
      {priorities.isError && !rows && <ErrorState small error={priorities.error} retry={() => void priorities.refetch()} />}
      {rows && <DataTable label={t('priorities.classes')} columns={columns} rows={rows} rowKey={({ name }) => name} />}
      <Suspense fallback={null}>
        {open?.what === 'form' && <PriorityForm priority={open.priority} onClose={close} />}
        {open?.what === 'remove' && <RemoveRule name={open.priority.name} text={t('priorities.removeText')} remove={removePriority} onClose={close} />}
      </Suspense>
    </Panel>
  );
}

function useColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<PriorityClass>[] {
  const t = useT();
  return useMemo(() => [
    { id: 'name', header: t('jobs.name'), width: '16%', cell: ({ name, description }) => <span className={style.name} title={description || name}>{name}</span> },
    { id: 'value', header: t('priorities.value'), width: '84px', align: 'right', cell: ({ value }) => value },
    { id: 'who', header: t('priorities.who'), hideBelow: 'phone', cell: (priority) => <Who priority={priority} /> },
    { id: 'preempts', header: t('priorities.preemption'), width: '22%', hideBelow: 'tablet', cell: (priority) => <Preemption priority={priority} /> },
    { id: 'reason', header: t('priorities.needsReason'), width: '112px', hideBelow: 'tablet', cell: ({ needs_reason: needs }) => (needs ? t('list.yes') : '–') },
    { id: 'budget', header: t('priorities.budget'), width: '148px', hideBelow: 'phone', align: 'right', cell: ({ budget }) => (budget === null ? '–' : t('quota.gpuHours', { count: formatCount(budget) })) },
    ...(mayWrite ? [{
      id: 'actions', header: t('jobs.actions'), hiddenHeader: true, width: '84px', align: 'right' as const,
      cell: (priority: PriorityClass) => (
        <span className={style.rowActions}>
          <RowButton icon="edit" label={t('list.edit', { name: priority.name })} onClick={() => onOpen({ what: 'form', priority })} />
          <RowButton danger icon="trash" label={t('list.remove', { name: priority.name })} onClick={() => onOpen({ what: 'remove', priority })} />
        </span>
      ),
    }] : []),
  ], [t, mayWrite, onOpen]);
}

function Who({ priority: { groups, projects } }: { priority: PriorityClass }) {
  const t = useT();
  const parts = [groups.length > 0 && t('priorities.ofGroups', { groups: groups.join(', ') }), projects.length > 0 && t('priorities.inProjects', { projects: projects.join(', ') })].filter(Boolean);
  return parts.length === 0 ? <span className={style.quiet}>{t('priorities.everybody')}</span> : <span title={parts.join(' · ')}>{parts.join(' · ')}</span>;
}

function Preemption({ priority: { may_preempt: pushes, may_be_preempted: yields } }: { priority: PriorityClass }) {
  const t = useT();
  return [pushes && t('priorities.pushes'), yields && t('priorities.yields')].filter(Boolean).join(' · ') || '–';
}
