/** Pools: which classes of job each serves, and what it has. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useMemo } from 'react';
import { listNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { listPools, poolKeys, removePool } from '@/api/rules/pools';
import type { Pool } from '@/api/rules/pools';
import { useT } from '@/app/i18n';
import { described } from '@/parts/built-in';
import { pollWithoutLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { Classes } from '@/parts/ClassChoice';
import { RulePanel } from '@/parts/RulePanel';
import { useList } from '@/parts/useList';
import type { Column } from '@/ui/table/DataTable';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const PoolForm = lazy(() => import('./PoolForm'));

export function PoolsPanel() {
  const t = useT();
  const pools = useList(poolKeys.all, listPools);
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal), refetchInterval: pollWithoutLive });
  return (
    <RulePanel
      title={t('pools.pools')}
      list={pools}
      columns={usePoolColumns(nodes.data)}
      mayWrite={useMayEverywhere('pool:write')}
      add={{ label: t('pools.new') }}
      form={(pool, close) => <PoolForm pool={pool} onClose={close} />}
      removal={{ text: t('pools.removeText'), remove: removePool }}
    />
  );
}

function usePoolColumns(nodes: readonly Node[] | undefined): Column<Pool>[] {
  const t = useT();
  return useMemo(() => {
    const of = ({ name }: Pool) => nodes?.filter(({ pool }) => pool === name) ?? [];
    return [
      {
        id: 'name',
        header: t('jobs.name'),
        width: '20%',
        cell: ({ name }) => (
          <Link to="/nodes" search={{ pool: name, view: 'table' }} className={style.name}>
            {name}
          </Link>
        ),
      },
      { id: 'classes', header: t('pools.serves'), hideBelow: 'phone', cell: ({ classes }) => <Classes classes={classes} /> },
      { id: 'nodes', header: t('pools.nodes'), width: '96px', align: 'right', cell: (pool) => of(pool).length },
      {
        id: 'gpus',
        header: t('quota.gpus'),
        width: '96px',
        align: 'right',
        hideBelow: 'phone',
        cell: (pool) => of(pool).reduce((sum, { gpus }) => sum + gpus.length, 0),
      },
      {
        id: 'description',
        header: t('list.description'),
        hideBelow: 'tablet',
        cell: (pool) => (
          <span className={ink.quiet} title={described('pool', pool, t)}>
            {described('pool', pool, t)}
          </span>
        ),
      },
    ];
  }, [t, nodes]);
}
