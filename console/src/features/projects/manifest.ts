/** The projects, and one of them. */
import { projectKeys } from '@/api/projects';
import { ruleKeys } from '@/api/rules';
import { feature, page } from '@/app/feature';
import { projectsSearch } from './search';

export default feature({
  pages: [
    page('/projects', 'ProjectsPage', () => import('./ProjectsPage'), { search: projectsSearch, words: 'governing' }),
    page('/projects/$project', 'ProjectPage', () => import('./ProjectPage'), { words: 'governing', budget: 260 }),
  ],
  place: { section: 'govern', to: '/projects', icon: 'projects', label: 'nav.projects', keys: 'g t' },
  stale: { rules: [ruleKeys.all], users: [projectKeys.all] },
});
