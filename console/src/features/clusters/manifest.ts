/** The clusters, and one of them. */
import { clusterKeys } from '@/api/clusters';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/machines/clusters.json';

const clusters = feature({
  pages: [
    page('/clusters', 'ClustersPage', () => import('./ClustersPage'), { words: 'machines' }),
    page('/clusters/$cluster', 'ClusterPage', () => import('./ClusterPage'), { words: 'machines' }),
  ],
  place: { section: 'cluster', at: 20, to: '/clusters', icon: 'clusters', label: 'nav.clusters', keys: 'g c' },
  stale: { nodes: [clusterKeys.all], rules: [clusterKeys.all] },
});

export default clusters;

declare module '@/app/feature' {
  interface Features {
    clusters: typeof clusters;
  }
  interface Catalogs {
    clusters: typeof words;
  }
}
