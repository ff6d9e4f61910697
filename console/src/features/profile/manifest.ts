/** One's own page. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/profile.json';

const profile = feature({
  pages: [page('/profile', 'ProfilePage', () => import('./ProfilePage'), { words: 'governing' })],
  place: { section: 'personal', at: 10, to: '/profile', icon: 'user', label: 'nav.profile', keys: 'g p' },
});

export default profile;

declare module '@/app/feature' {
  interface Features {
    profile: typeof profile;
  }
  interface Catalogs {
    profile: typeof words;
  }
}
