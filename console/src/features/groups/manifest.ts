/** The groups, and one of them. */
import { keys } from '@/api/keys';
import { feature, page } from '@/app/feature';

export default feature({
  pages: [
    page('/groups', 'GroupsPage', () => import('./GroupsPage'), { words: 'governing' }),
    page('/groups/$group', 'GroupPage', () => import('./GroupPage'), { words: 'governing' }),
  ],
  place: { section: 'govern', to: '/groups', icon: 'groups', label: 'nav.groups', keys: 'g m', needs: 'group:write' },
  stale: { rules: [keys.groups], users: [keys.groups] },
});
