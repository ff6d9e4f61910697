/** What is kept of what a job leaves: where it goes, how far it is, why not, and a way to make it again. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JobDetail } from '@/api/jobs';
import { isToCome, listOutputs, outputKeys, retryOutput } from '@/api/outputs';
import type { JobOutput } from '@/api/outputs';
import type { TransferState } from '@/api/transfers';
import type { Translate } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { useSave } from '@/parts/useSave';
import { Notice, Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import { TransferStatus } from '@/ui/words/Status';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from './Outputs.module.css';

const SOON_MS = 1_000;
const LATER_MS = 10_000;
const LOOKS: Partial<Record<JobOutput['state'], TransferState>> = {
  pending: 'queued',
  making: 'running',
  done: 'completed',
  failed: 'failed',
};

export function OutputsPanel({ job }: { job: JobDetail }) {
  const t = useT();
  const outputs = useQuery({
    queryKey: [...outputKeys.of(job.id), job.state],
    queryFn: ({ signal }) => listOutputs(job.id, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'pending' || state === 'making') ? SOON_MS : data?.some(isToCome) ? LATER_MS : false,
  });
  const { mutate } = useSave({
    save: ({ id }: JobOutput) => retryOutput(job.id, id),
    invalidate: [outputKeys.of(job.id)],
    failed: t('outputs.notDone'),
  });
  const columns = useMemo(() => columnsOf(t, job.owner, mutate), [t, job.owner, mutate]);
  if (outputs.isPending) return <Skeleton rows={4} />;
  if (!outputs.data) return <ErrorState error={outputs.error} retry={() => void outputs.refetch()} />;
  if (outputs.data.length === 0) {
    return (
      <EmptyState icon="volumes" title={t('outputs.none')}>
        {t('outputs.noneText')}
      </EmptyState>
    );
  }
  return (
    <div className={style.outputs}>
      <Problems outputs={outputs.data} />
      <Panel flush>
        <DataTable label={t('outputs.title')} columns={columns} rows={outputs.data} rowKey={keyOf} rowHeight={56} />
      </Panel>
    </div>
  );
}

/** What is declared may stand beside what an earlier attempt left. */
const keyOf = ({ id, state }: JobOutput): string => `${id}-${state}`;

function columnsOf(t: Translate, owner: string, retry: (output: JobOutput) => void): Column<JobOutput>[] {
  return [
    {
      id: 'path',
      header: t('outputs.path'),
      cell: (output) => (
        <span className={style.lines}>
          <span className={ink.strong} title={output.path}>
            {output.path}
          </span>
          <span className={ink.finer} title={output.target}>
            → <Target output={output} owner={owner} />
            {output.tag !== null && ` · ${output.tag}`}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: t('jobs.state'),
      width: '168px',
      cell: (output) => <State output={output} />,
    },
    {
      id: 'size',
      header: t('outputs.size'),
      width: '140px',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ state, files, bytes }) =>
        (state === 'making' || state === 'done') && `${formatBytes(bytes)} · ${t('outputs.files', { count: files })}`,
    },
    {
      id: 'attempt',
      header: t('outputs.attempt'),
      width: '72px',
      align: 'right',
      hideBelow: 'tablet',
      cell: ({ attempt, state }) => state !== 'declared' && attempt > 0 && attempt,
    },
    { id: 'ended', header: t('outputs.made'), width: '104px', hideBelow: 'tablet', cell: ({ ended_at: at }) => at && <Ago at={at} /> },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '52px',
      align: 'right',
      cell: (output) =>
        output.can_retry && <RowButton icon="restart" label={t('outputs.retry', { path: output.path })} onClick={() => retry(output)} />,
    },
  ];
}

/** A link to what was made of it, or to where it will be. */
function Target({ output: { dataset, version, target, to }, owner }: { output: JobOutput; owner: string }) {
  const me = useMe();
  if (dataset !== null) {
    return (
      <Link to="/datasets/$dataset" params={{ dataset }} search={version === null ? {} : { tab: 'files', version }}>
        {target}
      </Link>
    );
  }
  const [volume, folder] = placeOf(to ?? '');
  // Everybody's own directory has the same name.
  if (!volume.includes(':') && owner !== me.name) return target;
  return (
    <Link to="/volumes/$volume" params={{ volume }} search={folder === '' ? {} : { path: folder }}>
      {target}
    </Link>
  );
}

/** `lin:models:/bert/best/` → the volume and the folder. */
function placeOf(to: string): [volume: string, folder: string] {
  const at = to.indexOf(':/');
  const path = to.slice(at + 2);
  return [to.slice(0, at), path.endsWith('/') ? path.replace(/\/+$/, '') : path.replace(/\/?[^/]*$/, '')];
}

function State({ output: { state, bytes, bytes_total: total } }: { output: JobOutput }) {
  const t = useT();
  const look = LOOKS[state];
  if (look === undefined) return <span className={ink.quiet}>{t(state === 'declared' ? 'outputs.declared' : 'outputs.skipped')}</span>;
  const percent = state === 'making' && total ? Math.min(99, Math.floor((bytes * 100) / total)) : null;
  return (
    <span className={style.state}>
      <TransferStatus state={look} />
      {percent !== null && <progress className={style.far} max={100} value={percent} aria-label={t('outputs.far')} />}
    </span>
  );
}

/** Why some could not be kept, and what to do. */
function Problems({ outputs }: { outputs: JobOutput[] }) {
  const said = useSentence();
  return outputs.map(
    (output) =>
      output.problem !== null && (
        <Notice key={output.id} tone="red" icon="warning" title={`${output.path} → ${output.target}`}>
          {said(output.problem.text)}
          {said(output.problem.advice) && <> · {said(output.problem.advice)}</>}
        </Notice>
      ),
  );
}
