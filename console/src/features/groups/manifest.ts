/** The groups, and one of them. */
import { groupKeys } from '@/api/groups';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/groups.json';

const groups = feature({
  pages: [
    page('/groups', 'GroupsPage', () => import('./GroupsPage'), { words: 'governing' }),
    page('/groups/$group', 'GroupPage', () => import('./GroupPage'), { words: 'governing' }),
  ],
  place: { section: 'govern', at: 40, to: '/groups', icon: 'groups', label: 'nav.groups', keys: 'g m', needs: 'group:write' },
  stale: { rules: [groupKeys.all], users: [groupKeys.all] },
});

export default groups;

declare module '@/app/feature' {
  interface Features {
    groups: typeof groups;
  }
  interface Catalogs {
    groups: typeof words;
  }
}
