/** The installation itself. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/system.json';

const system = feature({
  pages: [page('/system', 'SystemPage', () => import('./SystemPage'), { words: 'governing' })],
  place: { section: 'govern', at: 95, to: '/system', icon: 'warning', label: 'nav.system', needs: 'system:read' },
});

export default system;

declare module '@/app/feature' {
  interface Features {
    system: typeof system;
  }
  interface Catalogs {
    system: typeof words;
  }
}
