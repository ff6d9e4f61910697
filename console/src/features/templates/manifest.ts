/** The templates. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/composing/templates.json';

const templates = feature({
  pages: [page('/templates', 'TemplatesPage', () => import('./TemplatesPage'), { words: 'composing' })],
  place: { section: 'compute', at: 15, to: '/templates', icon: 'book', label: 'nav.templates', keys: 'g y' },
});

export default templates;

declare module '@/app/feature' {
  interface Features {
    templates: typeof templates;
  }
  interface Catalogs {
    templates: typeof words;
  }
}
