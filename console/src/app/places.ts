/** The places of the console, in the order of the navigation. */
import type { IconName } from '@/ui/icons';
import type { MessageKey } from './i18n';

export interface Place {
  to:
    | '/' | '/jobs' | '/queue' | '/scores' | '/nodes' | '/clusters' | '/profile'
    | '/projects' | '/requests' | '/users' | '/groups'
    | '/panel' | '/flavors' | '/pools' | '/quotas' | '/priorities' | '/audit';
  icon: IconName;
  label: MessageKey;
  /** The shortcut that leads there. */
  keys?: string;
  /** Shown to those who may do this with everybody's things. */
  needs?: string;
}

export interface Section {
  title?: MessageKey | undefined;
  places: readonly Place[];
}

export const SECTIONS: readonly Section[] = [
  {
    places: [
      { to: '/', icon: 'overview', label: 'nav.overview', keys: 'g o' },
      { to: '/panel', icon: 'panel', label: 'nav.panel', keys: 'g e' },
    ],
  },
  {
    title: 'nav.compute',
    places: [
      { to: '/jobs', icon: 'jobs', label: 'nav.jobs', keys: 'g j' },
      { to: '/queue', icon: 'queue', label: 'nav.queue', keys: 'g q' },
      { to: '/scores', icon: 'score', label: 'nav.scores', keys: 'g s' },
    ],
  },
  {
    title: 'nav.cluster',
    places: [
      { to: '/nodes', icon: 'nodes', label: 'nav.nodes', keys: 'g n' },
      { to: '/clusters', icon: 'clusters', label: 'nav.clusters', keys: 'g c' },
    ],
  },
  {
    title: 'nav.govern',
    places: [
      { to: '/projects', icon: 'projects', label: 'nav.projects', keys: 'g t' },
      { to: '/requests', icon: 'inbox', label: 'nav.requests', keys: 'g r' },
      { to: '/users', icon: 'users', label: 'nav.users', keys: 'g u', needs: 'user:read' },
      { to: '/groups', icon: 'groups', label: 'nav.groups', keys: 'g m', needs: 'group:write' },
      { to: '/flavors', icon: 'flavors', label: 'nav.flavors', keys: 'g f' },
      { to: '/pools', icon: 'pools', label: 'nav.pools', keys: 'g l' },
      { to: '/quotas', icon: 'quotas', label: 'nav.quotas', keys: 'g k', needs: 'quota:write' },
      { to: '/priorities', icon: 'priorities', label: 'nav.priorities', keys: 'g i' },
      { to: '/audit', icon: 'audit', label: 'nav.audit', keys: 'g a', needs: 'audit:read' },
    ],
  },
  { title: 'nav.personal', places: [{ to: '/profile', icon: 'user', label: 'nav.profile', keys: 'g p' }] },
];

/** All of them, whoever asks. */
export const PLACES: readonly Place[] = SECTIONS.flatMap(({ places }) => places);

/** Those that a person is shown. */
export function sectionsFor(mayEverywhere: (permission: string) => boolean): Section[] {
  return SECTIONS.flatMap(({ title, places }) => {
    const shown = places.filter(({ needs }) => needs === undefined || mayEverywhere(needs));
    return shown.length > 0 ? [{ title, places: shown }] : [];
  });
}
