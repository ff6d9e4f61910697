/** Pools: which classes of job each serves, and what it has. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { listNodes } from '@/api/nodes';
import { listPools, removePool } from '@/api/rules';
import type { Node, Pool } from '@/api/types';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { Classes } from '@/parts/ClassChoice';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { RowButton } from '@/ui/table/RowButton';
import { ErrorState, Skeleton } from '@/ui/page/States';
import style from '@/ui/table/lists.module.css';

const PoolForm = lazy(() => import('./PoolForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

type Open = { what: 'form'; pool?: Pool } | { what: 'remove'; pool: Pool };

export function PoolsPanel() {
  const t = useT();
  const mayWrite = useMayEverywhere('pool:write');
  const [open, setOpen] = useState<Open | null>(null);
  const pools = useQuery({ queryKey: keys.pools, queryFn: ({ signal }) => listPools(signal), refetchInterval: pollWithoutLive });
  const nodes = useQuery({ queryKey: keys.nodes, queryFn: ({ signal }) => listNodes(signal), refetchInterval: pollWithoutLive });
  const columns = usePoolColumns(nodes.data, mayWrite, setOpen);
  const close = () => setOpen(null);
  const add = mayWrite && <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'form' })}>{t('pools.new')}</Button>;
  return (
    <Panel title={t('pools.pools')} aside={add} flush>
      {pools.isPending && <Skeleton rows={3} />}
      {pools.isError && !pools.data && <ErrorState small error={pools.error} retry={() => void pools.refetch()} />}
      {pools.data && <DataTable label={t('pools.pools')} columns={columns} rows={pools.data} rowKey={({ name }) => name} />}
      <Suspense fallback={null}>
        {open?.what === 'form' && <PoolForm pool={open.pool} onClose={close} />}
        {open?.what === 'remove' && <RemoveRule name={open.pool.name} text={t('pools.removeText')} remove={removePool} onClose={close} />}
      </Suspense>
    </Panel>
  );
}

function usePoolColumns(nodes: readonly Node[] | undefined, mayWrite: boolean, onOpen: (open: Open) => void): Column<Pool>[] {
  const t = useT();
  return useMemo(() => {
    const of = ({ name }: Pool) => nodes?.filter(({ pool }) => pool === name) ?? [];
    return [
      { id: 'name', header: t('jobs.name'), width: '20%', cell: ({ name }) => <Link to="/nodes" search={{ pool: name, view: 'table' }} className={style.name}>{name}</Link> },
      { id: 'classes', header: t('pools.serves'), cell: ({ classes }) => <Classes classes={classes} /> },
      { id: 'nodes', header: t('pools.nodes'), width: '96px', align: 'right', cell: (pool) => of(pool).length },
      { id: 'gpus', header: t('quota.gpus'), width: '96px', align: 'right', hideBelow: 'phone', cell: (pool) => of(pool).reduce((sum, { gpus }) => sum + gpus.length, 0) },
      { id: 'description', header: t('list.description'), hideBelow: 'tablet', cell: ({ description }) => <span className={style.quiet} title={description}>{description}</span> },
      ...(mayWrite ? [{
        id: 'actions', header: t('jobs.actions'), hiddenHeader: true, width: '84px', align: 'right' as const,
        cell: (pool: Pool) => (
          <span className={style.rowActions}>
            <RowButton icon="edit" label={t('list.edit', { name: pool.name })} onClick={() => onOpen({ what: 'form', pool })} />
            <RowButton danger icon="trash" label={t('list.remove', { name: pool.name })} onClick={() => onOpen({ what: 'remove', pool })} />
          </span>
        ),
      }] : []),
    ];
  }, [t, nodes, mayWrite, onOpen]);
}
