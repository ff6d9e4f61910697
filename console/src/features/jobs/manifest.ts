/** The table of jobs. */
import { jobKeys } from '@/api/jobs';
import { feature, page } from '@/app/feature';
import { jobsSearch } from './search';

export default feature({
  pages: [page('/jobs', 'JobsPage', () => import('./JobsPage'), { search: jobsSearch })],
  place: { section: 'compute', to: '/jobs', icon: 'jobs', label: 'nav.jobs', keys: 'g j' },
  stale: { jobs: [jobKeys.all] },
});
