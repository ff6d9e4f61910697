/** What a row tells of a transfer: from where to where, how far, how fast, and why not. */
import { Link } from '@tanstack/react-router';
import type { Transfer } from '@/api/transfers';
import type { Translate } from '@/app/i18n';
import { useSentence } from '@/app/i18n';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes, formatCount } from '@/ui/words/format';
import { TransferStatus } from '@/ui/words/Status';
import { Ago } from '@/ui/words/Time';
import { TransferBar } from './TransferBar';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Transfers.module.css';

interface Acts {
  act: (what: 'cancel' | 'resume', transfer: Transfer) => void;
  remove: (transfer: Transfer) => void;
}

export function transferColumns(t: Translate, me: string, { act, remove }: Acts): Column<Transfer>[] {
  return [
    {
      id: 'way',
      header: t('transfers.way'),
      width: '34%',
      cell: ({ source, target, owner, for_job: job }) => (
        <span className={style.way}>
          <span className={ink.strong} title={source}>
            {source}
          </span>
          <span className={ink.finer} title={target}>
            → {target}
            {owner !== me && ` · ${owner}`}
            {job && (
              <>
                {' · '}
                <Link to="/jobs/$job" params={{ job: job.id }}>
                  {t('transfers.forJob', { name: job.name })}
                </Link>
              </>
            )}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      width: '28%',
      cell: (transfer) => (
        <span className={style.way}>
          <TransferStatus state={transfer.state} />
          <span className={style.onPhones}>{shortly(transfer)}</span>
          <Why transfer={transfer} />
        </span>
      ),
    },
    {
      id: 'far',
      header: t('transfers.far'),
      width: '200px',
      hideBelow: 'phone',
      cell: (transfer) => <TransferBar transfer={transfer} />,
    },
    {
      id: 'files',
      header: t('transfers.files'),
      width: '112px',
      align: 'right',
      hideBelow: 'tablet',
      cell: ({ progress: { files, files_total: total } }) =>
        total === null || total === files ? formatCount(files) : `${formatCount(files)} / ${formatCount(total)}`,
    },
    { id: 'created', header: t('jobs.created'), width: '120px', hideBelow: 'tablet', cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '84px',
      align: 'right',
      cell: (transfer) => {
        const { state, source, cancelling, can_edit: mayEdit } = transfer;
        const over = state !== 'queued' && state !== 'running';
        return (
          mayEdit && (
            <span className={lists.rowActions}>
              {!over && !cancelling && (
                <RowButton icon="stop" label={t('transfers.cancel', { source })} onClick={() => act('cancel', transfer)} />
              )}
              {(state === 'failed' || state === 'cancelled') && (
                <RowButton icon="restart" label={t('transfers.resume', { source })} onClick={() => act('resume', transfer)} />
              )}
              {over && <RowButton danger icon="trash" label={t('transfers.remove', { source })} onClick={() => remove(transfer)} />}
            </span>
          )
        );
      },
    },
  ];
}

/** How far it is where there is no room for a bar. */
function shortly({ state, progress: { bytes, bytes_total: total } }: Transfer): string {
  if (total === null) return formatBytes(bytes);
  const percent = state === 'completed' || total === 0 ? 100 : Math.min(99, Math.floor((bytes * 100) / total));
  return `${percent} %`;
}

/** Why it failed or waits, and what to do. */
function Why({ transfer: { problem, progress } }: { transfer: Transfer }) {
  const said = useSentence();
  if (problem === null) return progress.rate > 0 ? <span className={ink.finer}>{`${formatBytes(progress.rate)}/s`}</span> : null;
  const text = said(problem.text);
  const advice = said(problem.advice);
  return (
    <span className={ink.finer} title={advice ? `${text} · ${advice}` : text}>
      {text}
      {advice && <> · {advice}</>}
    </span>
  );
}
