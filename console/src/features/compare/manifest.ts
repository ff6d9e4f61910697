/** Jobs beside each other. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/training/compare.json';
import { compareSearch } from './search';

const compare = feature({
  pages: [page('/compare', 'ComparePage', () => import('./ComparePage'), { search: compareSearch, words: 'training' })],
});

export default compare;

declare module '@/app/feature' {
  interface Features {
    compare: typeof compare;
  }
  interface Catalogs {
    compare: typeof words;
  }
}
