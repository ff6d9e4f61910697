/** The machines: what each has, what is in use, who runs what; as a heat map or a table. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { listNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { useNow } from '@/ui/words/clock';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { choices, clusterOf, filterNodes, groupNodes } from './arrange';
import { Legend } from './map/Legend';
import { NodeFilters } from './NodeFilters';
import type { NodesSearch } from './search';
import { pollMeasured, rateWords } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Nodes.module.css';

const HeatMap = lazy(() => import('./map/HeatMap'));
const NodeTable = lazy(() => import('./NodeTable'));
const route = getRouteApi('/app/nodes');

export function NodesPage() {
  const t = useT();
  useLive('nodes');
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal), refetchInterval: pollMeasured });
  return (
    <Page title={t('nodes.title')} fill>
      {nodes.isPending && <Skeleton rows={10} />}
      {nodes.isError && !nodes.data && <ErrorState error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.data &&
        (nodes.data.length > 0 ? (
          <Machines nodes={nodes.data} />
        ) : (
          <EmptyState icon="nodes" title={t('nodes.none')}>
            {t('nodes.noneText')}
          </EmptyState>
        ))}
    </Page>
  );
}

function Machines({ nodes }: { nodes: Node[] }) {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<NodesSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => change({ search: undefined, state: undefined, pool: undefined, model: undefined, cluster: undefined });
  const { search: text, state, pool, model, cluster } = search;
  const shown = useMemo(
    () => filterNodes(nodes, { search: text, state, pool, model, cluster }),
    [nodes, text, state, pool, model, cluster],
  );
  return (
    <>
      <NodeFilters nodes={nodes} search={search} onChange={change} onReset={reset} />
      <MachineNetwork nodes={nodes} />
      {shown.length === 0 ? (
        <EmptyState
          icon="filter"
          title={t('nodes.noMatch')}
          action={
            <Button variant="default" onClick={reset}>
              {t('nodes.reset')}
            </Button>
          }
        >
          {t('nodes.noMatchText')}
        </EmptyState>
      ) : (
        <Suspense fallback={<Skeleton rows={10} />}>
          {search.view === 'table' ? (
            <div className={style.tableFrame}>
              <NodeTable
                nodes={shown}
                clusters={choices(nodes, clusterOf).length > 1}
                sort={search.sort ?? 'name'}
                onSort={(sort) => change({ sort })}
              />
            </div>
          ) : (
            <Mapped nodes={shown} search={search} onChange={change} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Virtual nodes have no network of their own: that of their machine stands here once. */
function MachineNetwork({ nodes }: { nodes: Node[] }) {
  const t = useT();
  const network = nodes.find((node) => node.network?.shared)?.network;
  return network ? <p className={ink.fine}>{t('nodes.networkOfAll', { rates: rateWords(network, t) })}</p> : null;
}

interface MappedProps {
  nodes: Node[];
  search: NodesSearch;
  onChange: (part: Partial<NodesSearch>) => void;
}

function Mapped({ nodes, search: { group = 'model', colour = 'owner', owner }, onChange }: MappedProps) {
  const groups = useMemo(() => groupNodes(nodes, group), [nodes, group]);
  const me = useMe().name;
  const now = useNow(60_000);
  const look = useMemo(() => ({ colour, me, owner, now }), [colour, me, owner, now]);
  return (
    <>
      <Legend nodes={nodes} colour={colour} owner={owner} onOwner={(name) => onChange({ owner: name })} />
      <HeatMap groups={groups} grouping={group} look={look} />
    </>
  );
}
