/** Priority classes and limits. */
import { ruleKeys } from '@/api/rules';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [page('/priorities', 'PrioritiesPage', () => import('./PrioritiesPage'), { words: 'governing' })],
  place: { section: 'govern', to: '/priorities', icon: 'priorities', label: 'nav.priorities', keys: 'g i' },
  stale: { rules: [ruleKeys.all] },
});
