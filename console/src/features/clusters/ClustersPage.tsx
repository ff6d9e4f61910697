/** The clusters that jobs run on: their nodes and GPUs, and who uses them. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { clusterKeys, listClusters } from '@/api/clusters';
import type { Cluster } from '@/api/clusters';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMay } from '@/app/session';
import { useList } from '@/parts/useList';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import { ListPage } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import { ClusterStatus } from '@/ui/words/Status';
import { GpuBars } from './GpuBars';
import { troubleOf } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Clusters.module.css';

const AddCluster = lazy(() => import('./AddCluster'));
const COMMAND = 'danlu cluster create lab --kubeconfig ~/.kube/config';

export function ClustersPage() {
  const t = useT();
  useLive('rules');
  useLive('nodes');
  const mayAdd = useMay('cluster:write');
  const [adding, setAdding] = useState(false);
  const clusters = useList(clusterKeys.all, listClusters);
  const add = mayAdd && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
      {t('clusters.add')}
    </Button>
  );
  return (
    <ListPage
      title={t('clusters.title')}
      actions={clusters.rows.length > 0 && add}
      list={clusters}
      bones={6}
      none={<None mayAdd={mayAdd} add={add} />}
      dialogs={adding && <AddCluster onClose={() => setAdding(false)} />}
    >
      {(rows) => (
        <ul className={style.cards} aria-label={t('clusters.title')}>
          {rows.map((cluster) => (
            <Card key={cluster.name} cluster={cluster} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

function None({ mayAdd, add }: { mayAdd: boolean; add: React.ReactNode }) {
  const t = useT();
  if (!mayAdd)
    return (
      <EmptyState icon="clusters" title={t('clusters.none')}>
        {t('clusters.noneTextOthers')}
      </EmptyState>
    );
  const ways = (
    <div className={style.ways}>
      {add}
      <div className={style.command}>
        <code>{COMMAND}</code>
        <Copy text={COMMAND} label={t('steps.copy', { command: COMMAND })} />
      </div>
    </div>
  );
  return (
    <EmptyState icon="clusters" title={t('clusters.none')} action={ways}>
      {t('clusters.noneText')}
    </EmptyState>
  );
}

function Card({ cluster }: { cluster: Cluster }) {
  const t = useT();
  const { name, state, nodes, gpus, tasks, namespace, server, description } = cluster;
  const trouble = troubleOf(cluster, t);
  return (
    <li className={style.card}>
      <div className={style.cardHead}>
        <h2 className={style.cardName}>
          <Link to="/clusters/$cluster" params={{ cluster: name }}>
            {name}
          </Link>
        </h2>
        <ClusterStatus state={state} />
      </div>
      {description && <p className={ink.fine}>{description}</p>}
      {trouble && <p className={style.trouble}>{trouble}</p>}
      <GpuBars gpus={gpus} />
      <dl className={style.facts}>
        <div>
          <dt>{t('clusters.nodes')}</dt>
          <dd>{t('clusters.nodesReady', { ready: nodes.ready, total: nodes.total })}</dd>
        </div>
        <div>
          <dt>{t('clusters.tasksLabel')}</dt>
          <dd>{tasks}</dd>
        </div>
        <div>
          <dt>{t('clusters.namespace')}</dt>
          <dd>{namespace}</dd>
        </div>
        {server && (
          <div>
            <dt>{t('clusters.server')}</dt>
            <dd>{server}</dd>
          </div>
        )}
      </dl>
    </li>
  );
}
