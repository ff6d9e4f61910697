/** What people ask for. */
import { requestKeys } from '@/api/requests';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/requests.json';
import { requestsSearch } from './search';

const requests = feature({
  pages: [page('/requests', 'RequestsPage', () => import('./RequestsPage'), { search: requestsSearch, words: 'governing' })],
  place: { section: 'team', at: 20, to: '/requests', icon: 'inbox', label: 'nav.requests', keys: 'g r' },
  stale: { users: [requestKeys.all] },
});

export default requests;

declare module '@/app/feature' {
  interface Features {
    requests: typeof requests;
  }
  interface Catalogs {
    requests: typeof words;
  }
}
