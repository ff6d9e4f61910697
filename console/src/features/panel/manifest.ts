/** The panel: how full everything is. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/panel.json';
import { panelSearch } from './search';

const panel = feature({
  pages: [page('/panel', 'PanelPage', () => import('./PanelPage'), { search: panelSearch, words: 'governing' })],
  place: { section: 'start', at: 20, to: '/panel', icon: 'panel', label: 'nav.panel', keys: 'g e' },
});

export default panel;

declare module '@/app/feature' {
  interface Features {
    panel: typeof panel;
  }
  interface Catalogs {
    panel: typeof words;
  }
}
