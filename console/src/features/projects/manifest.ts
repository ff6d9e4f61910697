/** The projects, and one of them. */
import { ruleKeys } from '@/api/rules/keys';
import { projectKeys } from '@/api/rules/projects';
import { feature, page } from '@/app/feature';
import type words from '@/locales/en/governing/projects.json';
import { projectsSearch } from './search';

const projects = feature({
  pages: [
    page('/projects', 'ProjectsPage', () => import('./ProjectsPage'), { search: projectsSearch, words: 'governing' }),
    page('/projects/$project', 'ProjectPage', () => import('./ProjectPage'), { words: 'governing', budget: 260 }),
  ],
  place: { section: 'team', at: 10, to: '/projects', icon: 'projects', label: 'nav.projects', keys: 'g t' },
  stale: { rules: [ruleKeys.all], users: [projectKeys.all] },
});

export default projects;

declare module '@/app/feature' {
  interface Features {
    projects: typeof projects;
  }
  interface Catalogs {
    projects: typeof words;
  }
}
