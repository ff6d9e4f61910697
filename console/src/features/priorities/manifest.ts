/** Priority classes and limits. */
import { keys } from '@/api/keys';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/priorities', 'PrioritiesPage', () => import('./PrioritiesPage'), { words: 'governing' })],
  place: { section: 'govern', to: '/priorities', icon: 'priorities', label: 'nav.priorities', keys: 'g i' },
  stale: { rules: [keys.rules] },
});
