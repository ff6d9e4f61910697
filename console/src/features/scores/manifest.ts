/** Scores: everybody's, and one person's. */
import { feature, page } from '@/app/feature';
import { scoreSearch, scoresSearch } from './search';

const scores = feature({
  pages: [
    page('/scores', 'ScoresPage', () => import('./ScoresPage'), { search: scoresSearch, words: 'queueing' }),
    page('/scores/$user', 'ScorePage', () => import('./ScorePage'), { search: scoreSearch, words: 'queueing' }),
  ],
  place: { section: 'compute', at: 30, to: '/scores', icon: 'score', label: 'nav.scores', keys: 'g s' },
});

export default scores;

declare module '@/app/feature' {
  interface Features {
    scores: typeof scores;
  }
}
