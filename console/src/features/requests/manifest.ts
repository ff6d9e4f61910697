/** What people ask for. */
import { requestKeys } from '@/api/requests';
import { feature, page } from '@/app/feature';
import { requestsSearch } from './search';

export default feature({
  pages: [page('/requests', 'RequestsPage', () => import('./RequestsPage'), { search: requestsSearch, words: 'governing' })],
  place: { section: 'govern', to: '/requests', icon: 'inbox', label: 'nav.requests', keys: 'g r' },
  stale: { users: [requestKeys.all] },
});
