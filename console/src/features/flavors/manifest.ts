/** The flavors. */
import { ruleKeys } from '@/api/rules/keys';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/flavors.json';
import { flavorsSearch } from './search';

const flavors = feature({
  pages: [page('/flavors', 'FlavorsPage', () => import('./FlavorsPage'), { search: flavorsSearch })],
  place: { section: 'govern', at: 50, to: '/flavors', icon: 'flavors', label: 'nav.flavors', keys: 'g f' },
  stale: { rules: [ruleKeys.all] },
});

export default flavors;

declare module '@/app/feature' {
  interface Features {
    flavors: typeof flavors;
  }
  interface Catalogs {
    flavors: typeof words;
  }
}
