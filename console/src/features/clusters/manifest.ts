/** The clusters, and one of them. */
import { clusterKeys } from '@/api/clusters';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [
    page('/clusters', 'ClustersPage', () => import('./ClustersPage')),
    page('/clusters/$cluster', 'ClusterPage', () => import('./ClusterPage')),
  ],
  place: { section: 'cluster', to: '/clusters', icon: 'clusters', label: 'nav.clusters', keys: 'g c' },
  stale: { nodes: [clusterKeys.all], rules: [clusterKeys.all] },
});
