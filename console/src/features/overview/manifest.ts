/** The overview. */
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/', 'OverviewPage', () => import('./OverviewPage'), { budget: 225 })],
  place: { section: 'start', to: '/', icon: 'overview', label: 'nav.overview', keys: 'g o' },
});
