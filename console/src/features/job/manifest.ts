/** One job. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/job/job.json';
import { jobSearch } from './search';

const job = feature({
  pages: [page('/jobs/$job', 'JobPage', () => import('./JobPage'), { search: jobSearch, words: 'job', budget: 245 })],
});

export default job;

declare module '@/app/feature' {
  interface Features {
    job: typeof job;
  }
  interface Catalogs {
    job: typeof words;
  }
}
