/** The people, and one of them. */
import { userKeys } from '@/api/people';
import { feature, page } from '@/app/feature';
import { usersSearch } from './search';

const users = feature({
  pages: [
    page('/users', 'UsersPage', () => import('./UsersPage'), { search: usersSearch, words: 'governing' }),
    page('/users/$user', 'UserPage', () => import('./UserPage'), { words: 'governing' }),
  ],
  place: { section: 'govern', at: 30, to: '/users', icon: 'users', label: 'nav.users', keys: 'g u', needs: 'user:read' },
  stale: { users: [userKeys.all] },
});

export default users;

declare module '@/app/feature' {
  interface Features {
    users: typeof users;
  }
}
