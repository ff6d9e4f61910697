/** What runs on a node: job, owner, task, GPUs, since when. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Node, NodeTask } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { Person } from '@/ui/words/Person';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { ranges } from '@/ui/words/format';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { Ago, Duration } from '@/ui/words/Time';
import { inService } from '../capacity';
import { jobWords } from '../words';
import style from '../NodePage.module.css';

export function NodeTasks({ node }: { node: Node }) {
  const t = useT();
  const columns = useMemo<Column<NodeTask>[]>(
    () => [
      {
        id: 'job',
        header: t('nodes.job'),
        cell: (task) =>
          task.job_id ? (
            <Link to="/jobs/$job" params={{ job: task.job_id }} className={style.job}>
              {jobWords(task, t)}
            </Link>
          ) : (
            jobWords(task, t)
          ),
      },
      { id: 'owner', header: t('nodes.owner'), width: '14%', cell: (task) => <Person name={task.owner} /> },
      {
        id: 'task',
        header: t('nodes.task'),
        width: '16%',
        cell: (task) =>
          task.job_id ? (
            <Link to="/jobs/$job" params={{ job: task.job_id }} search={{ tab: 'logs', task: task.task }}>
              {task.task}
            </Link>
          ) : (
            task.task
          ),
      },
      { id: 'gpus', header: t('nodes.gpus'), width: '14%', cell: (task) => ranges(task.gpus) || '–' },
      {
        id: 'since',
        header: t('nodes.since'),
        width: '14%',
        hideBelow: 'tablet',
        cell: (task) => (task.started_at ? <Ago at={task.started_at} /> : '–'),
      },
      {
        id: 'for',
        header: t('nodes.for'),
        width: '132px',
        align: 'right',
        hideBelow: 'phone',
        cell: (task) => (task.started_at ? <Duration from={task.started_at} /> : '–'),
      },
    ],
    [t],
  );
  return (
    <Panel title={t('nodes.jobs')} flush>
      {node.tasks.length > 0 ? (
        <DataTable
          label={t('nodes.jobs')}
          columns={columns}
          rows={node.tasks}
          rowKey={(task) => `${task.job_id ?? task.owner}/${task.task}/${task.gpus.join()}`}
        />
      ) : (
        <EmptyState small icon="jobs" title={t('nodes.idle')}>
          {t(inService(node) ? 'nodes.idleText' : 'nodes.idleShut')}
        </EmptyState>
      )}
    </Panel>
  );
}
