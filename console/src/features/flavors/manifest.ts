/** The flavors. */
import { keys } from '@/api/keys';
import { feature, page } from '@/app/feature';
import { flavorsSearch } from './search';

export default feature({
  pages: [page('/flavors', 'FlavorsPage', () => import('./FlavorsPage'), { search: flavorsSearch })],
  place: { section: 'govern', to: '/flavors', icon: 'flavors', label: 'nav.flavors', keys: 'g f' },
  stale: { rules: [keys.rules] },
});
