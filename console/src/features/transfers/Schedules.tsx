/** Schedules: transfers that are created again and again. */
import { lazy, Suspense, useMemo, useState } from 'react';
import { deleteSchedule, listSchedules, pauseSchedule, transferKeys } from '@/api/transfers';
import type { TransferSchedule } from '@/api/transfers';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useList } from '@/parts/useList';
import { useSave } from '@/parts/useSave';
import { ListStates } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { Ago } from '@/ui/words/Time';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Transfers.module.css';

const RemoveRule = lazy(() => import('@/parts/RemoveRule'));
const AGAIN_MS = 30_000;

export function Schedules() {
  const t = useT();
  const [removing, setRemoving] = useState<TransferSchedule | null>(null);
  const schedules = useList(transferKeys.schedules, listSchedules, AGAIN_MS);
  const { mutate } = useSave({
    save: ({ id, paused }: TransferSchedule) => pauseSchedule(id, !paused),
    invalidate: [transferKeys.schedules],
    failed: t('transfers.notDone'),
  });
  const columns = useMemo(() => columnsOf(t, mutate, setRemoving), [t, mutate]);
  return (
    <>
      <ListStates
        list={schedules}
        bones={4}
        none={
          <EmptyState icon="transfers" title={t('transfers.noSchedules')}>
            {t('transfers.noSchedulesText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <Panel flush>
            <DataTable label={t('transfers.schedules')} columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={52} />
          </Panel>
        )}
      </ListStates>
      <Suspense fallback={null}>
        {removing && (
          <RemoveRule
            name={removing.id}
            title={t('transfers.removeScheduleTitle')}
            text={t('transfers.removeScheduleText')}
            remove={() => deleteSchedule(removing.id)}
            stale={transferKeys.all}
            onClose={() => setRemoving(null)}
          />
        )}
      </Suspense>
    </>
  );
}

function columnsOf(
  t: Translate,
  toggle: (schedule: TransferSchedule) => void,
  remove: (schedule: TransferSchedule) => void,
): Column<TransferSchedule>[] {
  return [
    {
      id: 'way',
      header: t('transfers.way'),
      width: '44%',
      cell: ({ source, target }) => (
        <span className={style.way}>
          <span className={ink.strong} title={source}>
            {source}
          </span>
          <span className={ink.finer} title={target}>
            → {target}
          </span>
        </span>
      ),
    },
    { id: 'cron', header: t('transfers.cron'), width: '22%', cell: ({ cron, zone }) => `${cron} (${zone})` },
    {
      id: 'due',
      header: t('transfers.due'),
      cell: ({ due_at: at, paused }) =>
        paused || at === null ? <span className={ink.quiet}>{t('transfers.paused')}</span> : <Ago at={at} />,
    },
    {
      id: 'last',
      header: t('transfers.last'),
      hideBelow: 'tablet',
      cell: ({ last_at: at, last_skipped: skipped }) =>
        at === null ? '–' : <span title={skipped ? t('transfers.skipped') : undefined}>{<Ago at={at} />}</span>,
    },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '84px',
      align: 'right',
      cell: (schedule) =>
        schedule.can_edit && (
          <span className={lists.rowActions}>
            <RowButton
              icon={schedule.paused ? 'play' : 'pause'}
              label={t(schedule.paused ? 'transfers.goOn' : 'transfers.pause', { source: schedule.source })}
              onClick={() => toggle(schedule)}
            />
            <RowButton danger icon="trash" label={t('transfers.remove', { source: schedule.source })} onClick={() => remove(schedule)} />
          </span>
        ),
    },
  ];
}
