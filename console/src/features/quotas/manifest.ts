/** The quotas. */
import { ruleKeys } from '@/api/rules';
import { feature, page } from '@/app/feature';
import { quotasSearch } from './search';

export default feature({
  pages: [page('/quotas', 'QuotasPage', () => import('./QuotasPage'), { search: quotasSearch })],
  place: { section: 'govern', to: '/quotas', icon: 'quotas', label: 'nav.quotas', keys: 'g k', needs: 'quota:write' },
  stale: { rules: [ruleKeys.all] },
});
