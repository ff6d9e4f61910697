/** The tasks of a job's latest attempt. */
import { useMemo } from 'react';
import type { JobDetail, Task } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import { ranges } from '@/ui/format';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/DataTable';
import { EmptyState } from '@/ui/States';
import { TaskStatus } from '@/ui/Status';
import { Duration } from '@/ui/Time';
import style from './JobPage.module.css';

export function TaskTable({ job, onLogs }: { job: JobDetail; onLogs: (task: string) => void }) {
  const t = useT();
  const say = useSentence();
  const columns = useMemo<Column<Task>[]>(() => [
    {
      id: 'name',
      header: t('task.name'),
      width: '18%',
      cell: (task) => (
        <button type="button" className={style.link} title={t('task.showLog', { task: task.name })} onClick={() => onLogs(task.name)}>
          {task.name}
        </button>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      cell: (task) => (
        <span className={style.taskState}>
          <TaskStatus state={task.state} />
          {task.step && task.state === 'starting' && <span className={style.why}>{task.step}</span>}
          {task.reason && <span className={style.why} title={say(task.reason.text)}>{say(task.reason.text)}</span>}
        </span>
      ),
    },
    { id: 'node', header: t('task.node'), width: '140px', hideBelow: 'phone', cell: (task) => task.node ?? '–' },
    { id: 'address', header: t('task.address'), width: '130px', hideBelow: 'tablet', cell: (task) => <span className="mono">{task.address ?? '–'}</span> },
    { id: 'gpus', header: t('task.gpus'), width: '110px', hideBelow: 'phone', cell: (task) => (ranges(task.gpus) || '–') },
    { id: 'exit', header: t('task.exit'), width: '90px', hideBelow: 'phone', align: 'right', cell: (task) => task.exit_code ?? '–' },
    { id: 'time', header: t('jobs.time'), width: '100px', align: 'right', cell: (task) => (task.started_at ? <Duration from={task.started_at} to={task.ended_at} /> : '–') },
    { id: 'isolation', header: t('task.isolation'), width: '120px', hideBelow: 'tablet', cell: (task) => task.isolation ?? '–' },
  ], [t, say, onLogs]);
  if (job.tasks.length === 0) return <EmptyState icon="nodes" title={t('task.none')}>{t('task.noneText')}</EmptyState>;
  return <DataTable label={t('tab.tasks')} columns={columns} rows={job.tasks} rowKey={(task) => task.name} />;
}
