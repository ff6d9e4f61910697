/** The audit log. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/audit.json';
import { auditSearch } from './search';

const audit = feature({
  pages: [page('/audit', 'AuditPage', () => import('./AuditPage'), { search: auditSearch, words: 'governing' })],
  place: { section: 'govern', at: 90, to: '/audit', icon: 'audit', label: 'nav.audit', keys: 'g a', needs: 'audit:read' },
});

export default audit;

declare module '@/app/feature' {
  interface Features {
    audit: typeof audit;
  }
  interface Catalogs {
    audit: typeof words;
  }
}
