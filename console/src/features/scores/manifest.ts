/** Scores: everybody's, and one person's. */
import { feature, page } from '@/app/feature';
import { scoreSearch, scoresSearch } from './search';

export default feature({
  pages: [
    page('/scores', 'ScoresPage', () => import('./ScoresPage'), { search: scoresSearch }),
    page('/scores/$user', 'ScorePage', () => import('./ScorePage'), { search: scoreSearch }),
  ],
  place: { section: 'compute', to: '/scores', icon: 'score', label: 'nav.scores', keys: 'g s' },
});
