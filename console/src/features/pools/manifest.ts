/** The pools, and when their nodes are maintained. */
import { ruleKeys } from '@/api/rules/keys';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/machines/pools.json';

const pools = feature({
  pages: [page('/pools', 'PoolsPage', () => import('./PoolsPage'), { words: 'machines' })],
  place: { section: 'govern', at: 60, to: '/pools', icon: 'pools', label: 'nav.pools', keys: 'g l' },
  stale: { rules: [ruleKeys.all] },
});

export default pools;

declare module '@/app/feature' {
  interface Features {
    pools: typeof pools;
  }
  interface Catalogs {
    pools: typeof words;
  }
}
