/** The overview. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/overview.json';

const overview = feature({
  pages: [page('/', 'OverviewPage', () => import('./OverviewPage'), { budget: 225 })],
  place: { section: 'start', at: 10, to: '/', icon: 'overview', label: 'nav.overview', keys: 'g o' },
});

export default overview;

declare module '@/app/feature' {
  interface Features {
    overview: typeof overview;
  }
  interface Catalogs {
    overview: typeof words;
  }
}
