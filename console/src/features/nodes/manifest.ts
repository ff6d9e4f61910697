/** The nodes, and one of them. */
import { nodeKeys } from '@/api/nodes';
import { resourceKeys } from '@/api/resources';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/machines/nodes.json';
import { nodeSearch, nodesSearch } from './search';

const nodes = feature({
  pages: [
    page('/nodes', 'NodesPage', () => import('./NodesPage'), { search: nodesSearch, words: 'machines' }),
    page('/nodes/$node', 'NodePage', () => import('./NodePage'), { search: nodeSearch, words: 'machines' }),
  ],
  place: { section: 'cluster', at: 10, to: '/nodes', icon: 'nodes', label: 'nav.nodes', keys: 'g n' },
  stale: { nodes: [nodeKeys.all, resourceKeys.all] },
});

export default nodes;

declare module '@/app/feature' {
  interface Features {
    nodes: typeof nodes;
  }
  interface Catalogs {
    nodes: typeof words;
  }
}
