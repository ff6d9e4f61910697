/** The nodes, and one of them. */
import { nodeKeys } from '@/api/nodes';
import { resourceKeys } from '@/api/resources';
import { feature, page } from '@/app/feature';
import { nodeSearch, nodesSearch } from './search';

export default feature({
  pages: [
    page('/nodes', 'NodesPage', () => import('./NodesPage'), { search: nodesSearch }),
    page('/nodes/$node', 'NodePage', () => import('./NodePage'), { search: nodeSearch }),
  ],
  place: { section: 'cluster', to: '/nodes', icon: 'nodes', label: 'nav.nodes', keys: 'g n' },
  stale: { nodes: [nodeKeys.all, resourceKeys.all] },
});
