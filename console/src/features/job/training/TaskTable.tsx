/** The tasks of a job's latest attempt. */
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { JobDetail, Task } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import { useNow } from '@/ui/words/clock';
import { formatAgo, ranges } from '@/ui/words/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import { TaskStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import type { JobTab } from '../search';
import ink from '@/ui/theme/ink.module.css';
import style from './Tasks.module.css';

/** From here on a filter is worth its room. */
const MANY = 12;

interface Props {
  job: JobDetail;
  onOpen: (tab: JobTab, task: string) => void;
}

export function TaskTable({ job, onOpen }: Props) {
  const t = useT();
  const [words, setWords] = useState('');
  const exec = job.actions.includes('exec');
  const columns = useTaskColumns(exec, onOpen);
  const wanted = words.trim().toLowerCase();
  const rows = useMemo(
    () =>
      job.tasks.filter((task) => wanted === '' || [task.name, task.node, task.state].some((part) => part?.toLowerCase().includes(wanted))),
    [job.tasks, wanted],
  );
  if (job.tasks.length === 0)
    return (
      <EmptyState icon="nodes" title={t('task.none')}>
        {t('task.noneText')}
      </EmptyState>
    );
  return (
    <>
      {job.tasks.length > MANY && (
        <div className={style.filter}>
          <TextInput
            type="search"
            className={style.filterBox}
            aria-label={t('task.filter')}
            placeholder={t('task.filter')}
            leftSection={<Icon name="search" size={14} />}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <span className={ink.fine} role="status">
            {t('task.count', { count: rows.length, of: job.tasks.length })}
          </span>
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState
          icon="filter"
          title={t('task.noneMatch')}
          action={
            <Button variant="default" onClick={() => setWords('')}>
              {t('task.clear')}
            </Button>
          }
        />
      ) : (
        <DataTable label={t('tab.tasks')} columns={columns} rows={rows} rowKey={(task) => task.name} />
      )}
    </>
  );
}

function useTaskColumns(exec: boolean, onOpen: Props['onOpen']): Column<Task>[] {
  const t = useT();
  const say = useSentence();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('task.name'),
        width: '150px',
        cell: (task) => (
          <button
            type="button"
            className={style.link}
            title={t('task.showLog', { task: task.name })}
            onClick={() => onOpen('logs', task.name)}
          >
            {task.name}
          </button>
        ),
      },
      {
        id: 'state',
        header: t('jobs.state'),
        cell: (task) => (
          <span className={style.state}>
            <TaskStatus state={task.state} />
            {task.tries > 0 && (
              <span className={style.tries} title={t('task.run', { run: task.run })}>
                {t('task.restarted', { count: task.tries })}
              </span>
            )}
            {task.step && task.state === 'starting' && <span className={style.why}>{task.step}</span>}
            {task.not_before && task.state === 'pending' && <Waits until={task.not_before} />}
            {task.reason && (
              <span className={style.why} title={say(task.reason.text)}>
                {say(task.reason.text)}
              </span>
            )}
          </span>
        ),
      },
      {
        id: 'node',
        header: t('task.node'),
        width: '130px',
        hideBelow: 'phone',
        cell: (task) =>
          task.node ? (
            <Link to="/nodes/$node" params={{ node: task.node }}>
              {task.node}
            </Link>
          ) : (
            '–'
          ),
      },
      { id: 'gpus', header: t('task.gpus'), width: '100px', hideBelow: 'tablet', cell: (task) => ranges(task.gpus) || '–' },
      {
        id: 'address',
        header: t('task.address'),
        width: '130px',
        hideBelow: 'desktop',
        cell: (task) => <span className="mono">{task.address ?? '–'}</span>,
      },
      { id: 'isolation', header: t('task.isolation'), width: '130px', hideBelow: 'desktop', cell: (task) => task.isolation ?? '–' },
      {
        id: 'started',
        header: t('task.started'),
        width: '110px',
        hideBelow: 'tablet',
        cell: (task) => (task.started_at ? <Ago at={task.started_at} /> : '–'),
      },
      {
        id: 'ran',
        header: t('task.ran'),
        width: '90px',
        align: 'right',
        cell: (task) => (task.started_at ? <Duration from={task.started_at} to={task.ended_at} /> : '–'),
      },
      { id: 'exit', header: t('task.exit'), width: '80px', hideBelow: 'tablet', align: 'right', cell: (task) => task.exit_code ?? '–' },
      {
        id: 'actions',
        header: t('jobs.actions'),
        hiddenHeader: true,
        width: '116px',
        align: 'right',
        cell: (task) => (
          <>
            <Open icon="jobs" label={t('task.showLog', { task: task.name })} onClick={() => onOpen('logs', task.name)} />
            <Open icon="chart" label={t('task.showPlots', { task: task.name })} onClick={() => onOpen('plots', task.name)} />
            {exec && task.state === 'running' && (
              <Open icon="terminal" label={t('task.openTerminal', { task: task.name })} onClick={() => onOpen('terminal', task.name)} />
            )}
          </>
        ),
      },
    ],
    [t, say, exec, onOpen],
  );
}

/** A task that will be started again, and not at once. */
function Waits({ until }: { until: string }) {
  const t = useT();
  const when = formatAgo(Date.parse(until), useNow(1000), t);
  return <span className={style.why}>{t('task.waitsUntil', { when })}</span>;
}

/** Plain, as all that stands in a table's cells. */
function Open({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" className={style.open} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
