/** One job. */
import { feature, page } from '@/app/feature';
import { jobSearch } from './search';

export default feature({
  pages: [page('/jobs/$job', 'JobPage', () => import('./JobPage'), { search: jobSearch })],
});
