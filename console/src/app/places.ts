/** The places of the console, in the order of the navigation. */
import { FEATURES } from '@/features';
import { SECTIONS } from './feature';
import type { Place as Said } from './feature';
import type { MessageKey } from './i18n';

type Leads<Each> = Each extends { place?: Said<infer To> } ? To : never;
export type Place = Said<Leads<(typeof FEATURES)[number]>>;

export interface Section {
  id: Place['section'];
  title?: MessageKey | undefined;
  places: readonly Place[];
}

const TITLES: Record<Place['section'], MessageKey | undefined> = {
  start: undefined,
  compute: 'nav.compute',
  data: 'nav.data',
  cluster: 'nav.cluster',
  team: 'nav.team',
  govern: 'nav.govern',
  personal: 'nav.personal',
};

const inOrder = (a: Place, b: Place) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) || a.at - b.at;

/** All of them, whoever asks. */
export const PLACES: readonly Place[] = FEATURES.flatMap(({ place }): Place[] => (place ? [place] : [])).sort(inOrder);

/** Those that a person is shown. */
export function sectionsFor(mayEverywhere: (permission: string) => boolean): Section[] {
  const shown = PLACES.filter(({ needs }) => needs === undefined || mayEverywhere(needs));
  return SECTIONS.flatMap((section) => {
    const places = shown.filter((place) => place.section === section);
    return places.length > 0 ? [{ id: section, title: TITLES[section], places }] : [];
  });
}
