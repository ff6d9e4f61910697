/** Priority classes: the higher the value, the sooner. */
import { lazy, useMemo } from 'react';
import { listPriorities, priorityKeys, removePriority } from '@/api/rules/priorities';
import type { PriorityClass } from '@/api/rules/priorities';
import { listed, useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { described } from '@/parts/built-in';
import { RulePanel } from '@/parts/RulePanel';
import { useList } from '@/parts/useList';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const PriorityForm = lazy(() => import('./PriorityForm'));

export function PrioritiesPanel() {
  const t = useT();
  const priorities = useList(priorityKeys.all, listPriorities);
  const rows = useMemo(() => priorities.rows.toSorted((a, b) => b.value - a.value), [priorities.rows]);
  return (
    <RulePanel
      title={t('priorities.classes')}
      list={{ ...priorities, rows }}
      bones={4}
      columns={useColumns()}
      mayWrite={useMayEverywhere('priority:write')}
      add={{ label: t('priorities.new') }}
      form={(priority, close) => <PriorityForm priority={priority} onClose={close} />}
      removal={{ text: t('priorities.removeText'), remove: removePriority }}
    />
  );
}

function useColumns(): Column<PriorityClass>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('jobs.name'),
        width: '16%',
        cell: ({ name }) => (
          <span className={style.name} title={name}>
            {name}
          </span>
        ),
      },
      {
        id: 'description',
        header: t('priorities.description'),
        hideBelow: 'tablet',
        cell: (priority) => <span title={described('priority', priority, t)}>{described('priority', priority, t) || '–'}</span>,
      },
      { id: 'value', header: t('priorities.value'), width: '84px', align: 'right', cell: ({ value }) => value },
      { id: 'who', header: t('priorities.who'), hideBelow: 'phone', cell: (priority) => <Who priority={priority} /> },
      {
        id: 'preempts',
        header: t('priorities.preemption'),
        width: '15%',
        hideBelow: 'tablet',
        cell: (priority) => <Preemption priority={priority} />,
      },
      {
        id: 'reason',
        header: t('priorities.needsReason'),
        width: '112px',
        hideBelow: 'tablet',
        cell: ({ needs_reason: needs }) => (needs ? t('list.yes') : '–'),
      },
      {
        id: 'budget',
        header: t('priorities.budget'),
        width: '148px',
        hideBelow: 'phone',
        align: 'right',
        cell: ({ budget }) => (budget === null ? '–' : t('quota.gpuHours', { count: formatCount(budget) })),
      },
    ],
    [t],
  );
}

function Who({ priority: { groups, projects } }: { priority: PriorityClass }) {
  const t = useT();
  const parts = [
    groups.length > 0 && t('priorities.ofGroups', { groups: listed(groups) }),
    projects.length > 0 && t('priorities.inProjects', { projects: listed(projects) }),
  ].filter(Boolean);
  return parts.length === 0 ? (
    <span className={ink.quiet}>{t('priorities.everybody')}</span>
  ) : (
    <span title={parts.join(' · ')}>{parts.join(' · ')}</span>
  );
}

function Preemption({ priority: { may_preempt: pushes, may_be_preempted: yields } }: { priority: PriorityClass }) {
  const t = useT();
  return [pushes && t('priorities.pushes'), yields && t('priorities.yields')].filter(Boolean).join(' · ') || '–';
}
