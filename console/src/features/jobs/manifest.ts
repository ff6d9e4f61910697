/** The table of jobs. */
import { jobKeys } from '@/api/jobs';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/jobs.json';
import { jobsSearch } from './search';

const jobs = feature({
  pages: [page('/jobs', 'JobsPage', () => import('./JobsPage'), { search: jobsSearch })],
  place: { section: 'compute', at: 10, to: '/jobs', icon: 'jobs', label: 'nav.jobs', keys: 'g j' },
  stale: { jobs: [jobKeys.all] },
});

export default jobs;

declare module '@/app/feature' {
  interface Features {
    jobs: typeof jobs;
  }
  interface Catalogs {
    jobs: typeof words;
  }
}
