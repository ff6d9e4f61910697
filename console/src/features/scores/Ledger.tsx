/** What the score is the sum of, row by row: what is held first, then what was given back. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LedgerRow } from '@/api/queue';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Duration, Exact } from '@/ui/words/Time';
import type { LedgerView } from './useCourse';
import { formatScore } from './words';
import style from './Scores.module.css';

export function Ledger({ ledger, model }: { ledger: LedgerView; model: string }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <Panel title={t('score.ledger')} flush>
      {ledger.rows.length === 0 && ledger.loading && <Skeleton />}
      {ledger.error != null && <ErrorState error={ledger.error} retry={ledger.retry} />}
      {ledger.rows.length === 0 && !ledger.loading && ledger.error == null && <p className={style.noRows}>{t('score.noRows')}</p>}
      {ledger.rows.length > 0 && (
        <div className={style.ledger}>
          <DataTable label={`${t('score.ledger')} ${model}`} columns={columns} rows={ledger.rows} rowKey={keyOf} />
          {ledger.more && (
            <div className={style.pager}>
              <Button variant="default" loading={ledger.loading} onClick={ledger.loadMore}>
                {t('score.older')}
              </Button>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

const keyOf = (row: LedgerRow) => `${row.job_id} ${row.attempt} ${row.task} ${row.began}`;

function columnsOf(t: Translate): Column<LedgerRow>[] {
  return [
    {
      id: 'job',
      header: t('score.job'),
      cell: (row) => (
        <Link to="/jobs/$job" params={{ job: row.job_id }} title={row.job_name}>
          {row.job_name}
        </Link>
      ),
    },
    {
      id: 'task',
      header: t('score.task'),
      width: '180px',
      hideBelow: 'phone',
      cell: (row) => (row.attempt > 1 ? t('score.taskOf', { task: row.task, attempt: row.attempt }) : row.task),
    },
    { id: 'amount', header: t('score.amount'), width: '90px', align: 'right', cell: (row) => formatCount(row.amount) },
    { id: 'began', header: t('score.from'), width: '190px', hideBelow: 'tablet', cell: (row) => <Exact at={row.began} /> },
    {
      id: 'ended',
      header: t('score.to'),
      width: '190px',
      hideBelow: 'tablet',
      cell: (row) => (row.ended ? <Exact at={row.ended} /> : <span className={style.still}>{t('score.still')}</span>),
    },
    {
      id: 'time',
      header: t('score.time'),
      width: '100px',
      align: 'right',
      hideBelow: 'phone',
      cell: (row) => <Duration from={row.began} to={row.ended} />,
    },
    {
      id: 'adds',
      header: t('score.adds'),
      width: '110px',
      align: 'right',
      cell: (row) => <b>{row.adds < 0.005 ? '< 0.01' : formatScore(row.adds)}</b>,
    },
  ];
}
