/** Moves nodes to another pool, after showing what that changes for jobs and flavors. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { moveNodes, nodeKeys } from '@/api/nodes';
import type { MoveReport } from '@/api/nodes';
import { ruleKeys } from '@/api/rules/keys';
import { listPools, poolKeys } from '@/api/rules/pools';
import { listed, useT } from '@/app/i18n';
import { AffectedJobs } from '@/parts/machines/AffectedJobs';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { ErrorState, Skeleton } from '@/ui/page/States';
import type { DialogProps } from './useNodeDialogs';
import ink from '@/ui/theme/ink.module.css';

export default function MoveDialog({ nodes, onDone, onClose }: DialogProps) {
  const t = useT();
  const names = nodes.map(({ name }) => name);
  const pools = useQuery({ queryKey: poolKeys.all, queryFn: ({ signal }) => listPools(signal) });
  const open = pools.data?.filter(({ name }) => nodes.some(({ pool }) => pool !== name)) ?? [];
  const [chosen, setPool] = useState<string | null>(null);
  const pool = chosen ?? open[0]?.name;
  const preview = useQuery({
    queryKey: ['move', names, pool],
    queryFn: () => moveNodes(names, pool!, true),
    enabled: pool !== undefined,
    gcTime: 0,
  });
  const move = useSave({
    save: () => moveNodes(names, pool!, false),
    close: () => {
      onClose();
      onDone();
    },
    said: () => t('nodes.moved', { count: names.length, pool: pool! }),
    invalidate: [nodeKeys.all, ruleKeys.all],
  });
  return (
    <FormDialog
      title={names.length === 1 ? t('nodes.moveTitle', { name: names[0]! }) : t('nodes.moveMany', { count: names.length })}
      action={t('nodes.move')}
      busy={move.isPending}
      error={move.error}
      disabled={!preview.data}
      onSubmit={() => move.mutate()}
      onClose={onClose}
    >
      {names.length > 1 && <p className={ink.fine}>{listed(names)}</p>}
      {pools.isError && <ErrorState small error={pools.error} retry={() => void pools.refetch()} />}
      {pools.data && open.length === 0 && <p>{t('nodes.noOtherPool')}</p>}
      {open.length > 0 && (
        <NativeSelect
          data-autofocus
          label={t('nodes.toPool')}
          data={open.map(({ name }) => name)}
          value={pool}
          onChange={(event) => setPool(event.currentTarget.value)}
        />
      )}
      {preview.isLoading && <Skeleton rows={3} />}
      {preview.isError && <ErrorState small error={preview.error} retry={() => void preview.refetch()} />}
      {preview.data && <Report report={preview.data} />}
    </FormDialog>
  );
}

function Report({ report: { running, waiting, flavors_lost: lost, flavors_gained: gained } }: { report: MoveReport }) {
  const t = useT();
  const strangers = running.filter(({ served }) => !served);
  if (running.length + waiting.length + lost.length + gained.length === 0)
    return <p className={ink.quiet}>{t('nodes.moveTouchesNothing')}</p>;
  return (
    <>
      {running.length > 0 && <p>{t('nodes.moveRunning', { count: running.length })}</p>}
      <AffectedJobs title={t('nodes.moveStrangers', { count: strangers.length })} jobs={strangers} />
      <AffectedJobs title={t('nodes.moveWaiting', { count: waiting.length })} jobs={waiting} />
      {lost.length > 0 && (
        <p>
          {t('nodes.flavorsLost')} <b>{listed(lost)}</b>
        </p>
      )}
      {gained.length > 0 && (
        <p>
          {t('nodes.flavorsGained')} <b>{listed(gained)}</b>
        </p>
      )}
    </>
  );
}
