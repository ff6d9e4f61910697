/** The places of the console, in the order of the navigation. */
import type { IconName } from '@/ui/icons';
import type { MessageKey } from './i18n';

export interface Place {
  to: '/' | '/jobs' | '/queue' | '/scores' | '/nodes' | '/clusters' | '/profile';
  icon: IconName;
  label: MessageKey;
  /** The shortcut that leads there. */
  keys: string;
}

interface Section {
  title?: MessageKey;
  places: readonly Place[];
}

export const SECTIONS: readonly Section[] = [
  { places: [{ to: '/', icon: 'overview', label: 'nav.overview', keys: 'g o' }] },
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
  { title: 'nav.personal', places: [{ to: '/profile', icon: 'user', label: 'nav.profile', keys: 'g p' }] },
];

export const PLACES: readonly Place[] = SECTIONS.flatMap(({ places }) => places);
