/** The quotas. */
import { ruleKeys } from '@/api/rules/keys';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/quotas.json';
import { quotasSearch } from './search';

const quotas = feature({
  pages: [page('/quotas', 'QuotasPage', () => import('./QuotasPage'), { search: quotasSearch })],
  stale: { rules: [ruleKeys.all] },
});

export default quotas;

declare module '@/app/feature' {
  interface Features {
    quotas: typeof quotas;
  }
  interface Catalogs {
    quotas: typeof words;
  }
}
