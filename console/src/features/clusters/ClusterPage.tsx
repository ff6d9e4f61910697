/** One cluster: what it has, how Danlu uses it, whether anything is missing there. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { clusterKeys, getCluster } from '@/api/clusters';
import type { Cluster } from '@/api/clusters';
import { listed, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMay } from '@/app/session';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Facts, Notice, Page, Panel } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { ClusterStatus } from '@/ui/words/Status';
import { formatBytes } from '@/ui/words/format';
import { Exact } from '@/ui/words/Time';
import { CheckPanel } from './CheckPanel';
import { ClusterActions } from './ClusterActions';
import { GpuBars } from './GpuBars';
import { troubleOf } from './words';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Clusters.module.css';

const route = getRouteApi('/app/clusters/$cluster');

export function ClusterPage() {
  const t = useT();
  const { cluster: name } = route.useParams();
  useLive('rules');
  useLive('nodes');
  const cluster = useQuery({
    queryKey: clusterKeys.one(name),
    queryFn: ({ signal }) => getCluster(name, signal),
    refetchInterval: pollWithoutLive,
  });
  const list: Crumb = { to: '/clusters', label: t('clusters.title') };
  if (cluster.data) return <Loaded cluster={cluster.data} trail={[list]} />;
  return (
    <AwaitedPage
      title={name}
      list={list}
      query={cluster}
      icon="clusters"
      missing={t('clusters.missing')}
      text={t('clusters.missingText')}
      back={t('clusters.all')}
    />
  );
}

function Loaded({ cluster, trail }: { cluster: Cluster; trail: Crumb[] }) {
  const t = useT();
  const mayWrite = useMay('cluster:write');
  const trouble = troubleOf(cluster, t);
  const heading = (
    <span className={layout.heading}>
      {cluster.name}
      <ClusterStatus state={cluster.state} />
    </span>
  );
  const toNodes = (
    <Link to="/nodes" search={{ cluster: cluster.name }}>
      {t('clusters.toNodes')}
    </Link>
  );
  return (
    <Page title={cluster.name} heading={heading} trail={trail} actions={mayWrite && <ClusterActions cluster={cluster} />}>
      {cluster.description && <p className={ink.fine}>{cluster.description}</p>}
      {trouble && <Notice tone={cluster.state === 'unreachable' ? 'red' : 'amber'} icon="warning" title={trouble} />}
      <Panel title={t('clusters.gpus')} aside={toNodes}>
        <GpuBars gpus={cluster.gpus} />
        <p className={`${ink.fine} ${style.sum}`}>
          {t('clusters.nodesReadyOf', { ready: cluster.nodes.ready, total: cluster.nodes.total })} ·{' '}
          {t('clusters.tasks', { count: cluster.tasks })}
        </p>
      </Panel>
      <Panel title={t('clusters.settings')}>
        <Facts items={factsOf(cluster, t)} />
      </Panel>
      {mayWrite && <CheckPanel name={cluster.name} />}
    </Page>
  );
}

function factsOf(cluster: Cluster, t: Translate): [string, ReactNode][] {
  const {
    server,
    namespace,
    image,
    helper,
    dns,
    pull_policy,
    pull_secrets,
    tolerations,
    rdma_resource,
    admission_time,
    lost_time,
    in_cluster,
    credentials_at,
    block_class,
    filesystem_class,
    personal_claim,
    personal_size,
  } = cluster;
  const own = filesystem_class ? t('clusters.personalEach', { size: formatBytes(personal_size) }) : t('clusters.personalNone');
  return [
    ...(server ? [[t('clusters.server'), server] satisfies [string, ReactNode]] : []),
    [t('clusters.signIn'), t(in_cluster ? 'clusters.signInSelf' : 'clusters.signInKubeconfig')],
    [t('clusters.credentials'), credentials_at ? <Exact key="credentials" at={credentials_at} /> : '–'],
    [t('clusters.namespace'), namespace],
    [t('clusters.image'), image],
    [t('clusters.helper'), helper || '–'],
    [t('clusters.dns'), t(dns ? 'clusters.dnsYes' : 'clusters.dnsNo')],
    [t('clusters.pullPolicy'), pull_policy],
    [t('clusters.pullSecrets'), listed(pull_secrets) || '–'],
    [t('clusters.tolerations'), listed(tolerations) || '–'],
    [t('clusters.rdma'), rdma_resource || '–'],
    [t('clusters.admission'), admission_time],
    [t('clusters.lost'), lost_time],
    [t('clusters.filesystemClass'), filesystem_class || '–'],
    [t('clusters.blockClass'), block_class || '–'],
    [t('clusters.personal'), personal_claim ? t('clusters.personalOf', { claim: personal_claim }) : own],
  ];
}
