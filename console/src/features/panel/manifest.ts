/** The panel: how full everything is. */
import { feature, page } from '@/app/feature';
import { panelSearch } from './search';

export default feature({
  pages: [page('/panel', 'PanelPage', () => import('./PanelPage'), { search: panelSearch, words: 'governing' })],
  place: { section: 'start', to: '/panel', icon: 'panel', label: 'nav.panel', keys: 'g e' },
});
