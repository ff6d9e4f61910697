/** The flavors. */
import { ruleKeys } from '@/api/rules';
import { feature, page } from '@/app/feature';
import { flavorsSearch } from './search';

export default feature({
  pages: [page('/flavors', 'FlavorsPage', () => import('./FlavorsPage'), { search: flavorsSearch })],
  place: { section: 'govern', to: '/flavors', icon: 'flavors', label: 'nav.flavors', keys: 'g f' },
  stale: { rules: [ruleKeys.all] },
});
