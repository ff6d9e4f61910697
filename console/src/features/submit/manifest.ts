/** Writing a job: a new one, or one that waits. */
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/composing/submit.json';
import { submitSearch } from './search';

const submit = feature({
  pages: [
    page('/jobs/new', 'SubmitPage', () => import('./SubmitPage'), { search: submitSearch, words: 'composing', budget: 290 }),
    page('/jobs/$job/edit', 'EditPage', () => import('./EditPage'), { words: 'composing', budget: 285 }),
  ],
});

export default submit;

declare module '@/app/feature' {
  interface Features {
    submit: typeof submit;
  }
  interface Catalogs {
    submit: typeof words;
  }
}
