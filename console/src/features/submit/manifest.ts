/** Writing a job: a new one, or one that waits. */
import { feature, page } from '@/app/feature';
import { submitSearch } from './search';

export default feature({
  pages: [
    page('/jobs/new', 'SubmitPage', () => import('./SubmitPage'), { search: submitSearch, words: 'composing', budget: 285 }),
    page('/jobs/$job/edit', 'EditPage', () => import('./EditPage'), { words: 'composing', budget: 285 }),
  ],
});
