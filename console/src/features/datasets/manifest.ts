/** The datasets, and one of them with its versions. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/data/datasets.json';
import { datasetSearch, datasetsSearch } from './search';

const datasets = feature({
  pages: [
    page('/datasets', 'DatasetsPage', () => import('./DatasetsPage'), { search: datasetsSearch, words: 'data' }),
    page('/datasets/$dataset', 'DatasetPage', () => import('./DatasetPage'), { search: datasetSearch, words: 'data' }),
  ],
  place: { section: 'data', at: 20, to: '/datasets', icon: 'datasets', label: 'nav.datasets', keys: 'g b' },
});

export default datasets;

declare module '@/app/feature' {
  interface Features {
    datasets: typeof datasets;
  }
  interface Catalogs {
    datasets: typeof words;
  }
}
