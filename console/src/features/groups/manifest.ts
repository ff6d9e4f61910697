/** The groups, and one of them. */
import { groupKeys } from '@/api/groups';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [
    page('/groups', 'GroupsPage', () => import('./GroupsPage'), { words: 'governing' }),
    page('/groups/$group', 'GroupPage', () => import('./GroupPage'), { words: 'governing' }),
  ],
  place: { section: 'govern', to: '/groups', icon: 'groups', label: 'nav.groups', keys: 'g m', needs: 'group:write' },
  stale: { rules: [groupKeys.all], users: [groupKeys.all] },
});
