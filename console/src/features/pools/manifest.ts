/** The pools, and when their nodes are maintained. */
import { keys } from '@/api/keys';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/pools', 'PoolsPage', () => import('./PoolsPage'))],
  place: { section: 'govern', to: '/pools', icon: 'pools', label: 'nav.pools', keys: 'g l' },
  stale: { rules: [keys.rules] },
});
