/** The queue. */
import { queueKeys } from '@/api/queue';
import { resourceKeys } from '@/api/resources';
import { feature, page } from '@/app/feature';
import { queueSearch } from './search';

export default feature({
  pages: [page('/queue', 'QueuePage', () => import('./QueuePage'), { search: queueSearch, budget: 260 })],
  place: { section: 'compute', to: '/queue', icon: 'queue', label: 'nav.queue', keys: 'g q' },
  stale: { queue: [queueKeys.all, resourceKeys.all] },
});
