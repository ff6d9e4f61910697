/** One's own page. */
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/profile', 'ProfilePage', () => import('./ProfilePage'), { words: 'governing' })],
  place: { section: 'personal', to: '/profile', icon: 'user', label: 'nav.profile', keys: 'g p' },
});
