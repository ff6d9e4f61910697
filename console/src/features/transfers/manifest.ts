/** The transfers: what is on its way into volumes, and what comes again and again. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/data/transfers.json';
import { transfersSearch } from './search';

const transfers = feature({
  pages: [page('/transfers', 'TransfersPage', () => import('./TransfersPage'), { search: transfersSearch, words: 'data' })],
  place: { section: 'data', at: 30, to: '/transfers', icon: 'transfers', label: 'nav.transfers', keys: 'g w' },
});

export default transfers;

declare module '@/app/feature' {
  interface Features {
    transfers: typeof transfers;
  }
  interface Catalogs {
    transfers: typeof words;
  }
}
