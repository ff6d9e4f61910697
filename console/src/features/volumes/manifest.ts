/** The volumes, and one of them with its files. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/data/volumes.json';
import { volumeSearch, volumesSearch } from './search';

const volumes = feature({
  pages: [
    page('/volumes', 'VolumesPage', () => import('./VolumesPage'), { search: volumesSearch, words: 'data' }),
    page('/volumes/$volume', 'VolumePage', () => import('./VolumePage'), { search: volumeSearch, words: 'data' }),
  ],
  place: { section: 'data', at: 10, to: '/volumes', icon: 'volumes', label: 'nav.volumes', keys: 'g d' },
});

export default volumes;

declare module '@/app/feature' {
  interface Features {
    volumes: typeof volumes;
  }
  interface Catalogs {
    volumes: typeof words;
  }
}
