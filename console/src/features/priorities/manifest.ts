/** Priority classes and limits. */
import { ruleKeys } from '@/api/rules/keys';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/priorities.json';

const priorities = feature({
  pages: [page('/priorities', 'PrioritiesPage', () => import('./PrioritiesPage'), { words: 'governing' })],
  place: { section: 'govern', at: 80, to: '/priorities', icon: 'priorities', label: 'nav.priorities', keys: 'g i' },
  stale: { rules: [ruleKeys.all] },
});

export default priorities;

declare module '@/app/feature' {
  interface Features {
    priorities: typeof priorities;
  }
  interface Catalogs {
    priorities: typeof words;
  }
}
