/** The machines: what each has, what is in use, who runs what. */
import { useQuery } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { listNodes } from '@/api/nodes';
import type { Node } from '@/api/types';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { formatCount } from '@/ui/format';
import { Page } from '@/ui/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/States';
import { totalsByModel } from './capacity';
import { NodeCard } from './NodeCard';
import style from './Nodes.module.css';

export function NodesPage() {
  const t = useT();
  useLive('nodes');
  const nodes = useQuery({ queryKey: keys.nodes, queryFn: ({ signal }) => listNodes(signal), refetchInterval: pollWithoutLive });
  return (
    <Page title={t('nodes.title')}>
      {nodes.isPending && <Skeleton rows={10} />}
      {nodes.isError && !nodes.data && <ErrorState error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.data && (nodes.data.length > 0 ? <Machines nodes={nodes.data} /> : <EmptyState icon="nodes" title={t('nodes.none')}>{t('nodes.noneText')}</EmptyState>)}
    </Page>
  );
}

function Machines({ nodes }: { nodes: Node[] }) {
  const t = useT();
  return (
    <>
      <ul className={style.totals} aria-label={t('nodes.totals')}>
        {totalsByModel(nodes).map(({ model, free, total }) => (
          <li key={model ?? 'cpu'} className={style.total}>
            <span className={style.totalModel}>{model ?? t('nodes.cpus')}</span>
            <span><strong>{formatCount(free)}</strong> {t('nodes.freeOf', { total: formatCount(total) })}</span>
          </li>
        ))}
      </ul>
      <ul className={style.cards}>
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} />
        ))}
      </ul>
    </>
  );
}
