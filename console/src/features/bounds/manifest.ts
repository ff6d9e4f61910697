/** What bounds whom: quotas, limits, caps and budgets. */
import { ruleKeys } from '@/api/rules/keys';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/bounds.json';

const bounds = feature({
  pages: [page('/bounds', 'BoundsPage', () => import('./BoundsPage'), { words: 'governing' })],
  place: { section: 'govern', at: 70, to: '/bounds', icon: 'quotas', label: 'nav.bounds', keys: 'g k' },
  stale: { rules: [ruleKeys.all] },
});

export default bounds;

declare module '@/app/feature' {
  interface Features {
    bounds: typeof bounds;
  }
  interface Catalogs {
    bounds: typeof words;
  }
}
