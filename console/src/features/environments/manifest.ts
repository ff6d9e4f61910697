/** One's own environments. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/environments.json';

const environments = feature({
  pages: [page('/environments', 'EnvironmentsPage', () => import('./EnvironmentsPage'), { words: 'governing' })],
  place: { section: 'personal', at: 20, to: '/environments', icon: 'packages', label: 'nav.environments', keys: 'g v' },
});

export default environments;

declare module '@/app/feature' {
  interface Features {
    environments: typeof environments;
  }
  interface Catalogs {
    environments: typeof words;
  }
}
