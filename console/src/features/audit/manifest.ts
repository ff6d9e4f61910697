/** The audit log. */
import { feature, page } from '@/app/feature';
import { auditSearch } from './search';

export default feature({
  pages: [page('/audit', 'AuditPage', () => import('./AuditPage'), { search: auditSearch, words: 'governing' })],
  place: { section: 'govern', to: '/audit', icon: 'audit', label: 'nav.audit', keys: 'g a', needs: 'audit:read' },
});
