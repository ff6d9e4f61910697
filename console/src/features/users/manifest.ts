/** The people, and one of them. */
import { userKeys } from '@/api/people';
import { feature, page } from '@/app/feature';
import { usersSearch } from './search';

export default feature({
  pages: [
    page('/users', 'UsersPage', () => import('./UsersPage'), { search: usersSearch, words: 'governing' }),
    page('/users/$user', 'UserPage', () => import('./UserPage'), { words: 'governing' }),
  ],
  place: { section: 'govern', to: '/users', icon: 'users', label: 'nav.users', keys: 'g u', needs: 'user:read' },
  stale: { users: [userKeys.all] },
});
