/** What a feature says of itself; `features/index.ts` gathers it for the router, the navigation and the live topics. */
import type { QueryKey } from '@tanstack/react-query';
import type { RouteComponent } from '@tanstack/react-router';
import type { IconName } from '@/ui/icons';
import type { SharedCatalogs } from '../locales/keys';
import type { Later } from './i18n';

/** Each manifest adds its type here, so that the compiler knows every address. */
// oxlint-disable-next-line typescript/no-empty-interface -- the manifests fill it
export interface Features {}

/** Each manifest adds its catalog here, so that the compiler knows every key. */
export interface Catalogs extends SharedCatalogs {}

type KeysOf<All> = { [Name in keyof All]: keyof All[Name] }[keyof All];
/** Every key of the catalogs. */
export type MessageKey = KeysOf<Catalogs>;

/** The topics of the live connection that have no name in them; `job:<id>` speaks for itself. */
export type Topic = 'jobs' | 'nodes' | 'queue' | 'rules' | 'users';
export type Stale = Partial<Record<Topic, readonly QueryKey[]>>;

type ReadSearch = (raw: Record<string, unknown>) => object;

interface PageOptions<Search> {
  /** Reads what the address holds behind the question mark. */
  search?: Search;
  /** The catalog that the page waits for, beside that of everywhere. */
  words?: Later;
  /** So many kB (gzip) a first visit may download, if not 240; `build/size.mjs` reads it here. */
  budget?: number;
}

export interface Page<Path extends string = string, Search extends ReadSearch | undefined = ReadSearch | undefined> {
  path: Path;
  search: Search | undefined;
  words: Later | undefined;
  load: () => Promise<Record<string, RouteComponent>>;
  name: string;
}

/** A page behind the sign-in: it is a chunk of its own, fetched when it is visited. */
export function page<const Path extends string, const Name extends string, Search extends ReadSearch | undefined = undefined>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, RouteComponent>>,
  { search, words }: PageOptions<Search> = {},
): Page<Path, Search> {
  return { path, name, load, search, words };
}

/** The parts of the navigation, from top to bottom. */
export const SECTIONS = ['start', 'compute', 'data', 'cluster', 'team', 'govern', 'personal'] as const;

export interface Place<To extends string = string> {
  section: (typeof SECTIONS)[number];
  /** Where in the section: the smallest stands first. */
  at: number;
  to: To;
  icon: IconName;
  label: MessageKey;
  /** The shortcut that leads there. */
  keys?: string;
  /** Shown to those who may do this with everybody's things. */
  needs?: string;
}

export interface Feature<Pages extends readonly Page[] = readonly Page[], To extends string = string> {
  pages: Pages;
  /** Where it stands in the navigation. */
  place?: Place<To>;
  /** Which cached answers a topic makes stale. */
  stale?: Stale;
}

/** A place leads to one of the feature's own pages. */
export function feature<const Pages extends readonly Page[], const To extends Pages[number]['path'] = never>(
  said: Feature<Pages, To>,
): Feature<Pages, To> {
  return said;
}
