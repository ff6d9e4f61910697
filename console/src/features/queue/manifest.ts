/** The queue. */
import { queueKeys } from '@/api/queue';
import { resourceKeys } from '@/api/resources';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/queueing/queueing.json';
import { queueSearch } from './search';

const queue = feature({
  pages: [page('/queue', 'QueuePage', () => import('./QueuePage'), { search: queueSearch, words: 'queueing', budget: 260 })],
  place: { section: 'compute', at: 20, to: '/queue', icon: 'queue', label: 'nav.queue', keys: 'g q' },
  stale: { queue: [queueKeys.all, resourceKeys.all] },
});

export default queue;

declare module '@/app/feature' {
  interface Features {
    queue: typeof queue;
  }
  interface Catalogs {
    queue: typeof words;
  }
}
