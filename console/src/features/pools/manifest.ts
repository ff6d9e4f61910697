/** The pools, and when their nodes are maintained. */
import { ruleKeys } from '@/api/rules';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/pools', 'PoolsPage', () => import('./PoolsPage'))],
  place: { section: 'govern', to: '/pools', icon: 'pools', label: 'nav.pools', keys: 'g l' },
  stale: { rules: [ruleKeys.all] },
});
