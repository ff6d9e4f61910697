/** What the addresses of the datasets hold. */
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const DATASET_TABS = ['about', 'versions', 'files', 'statistics', 'changes', 'lineage', 'sharing', 'settings'] as const;
export type DatasetTab = (typeof DATASET_TABS)[number];
export const WHOSE = ['mine', 'shared', 'public'] as const;
export type Whose = (typeof WHOSE)[number];

export interface DatasetsSearch {
  tab?: 'trash' | undefined;
  search?: string | undefined;
  whose?: Whose | undefined;
}

export interface DatasetSearch {
  tab?: DatasetTab | undefined;
  /** The version that is shown; the newest, where none is named. */
  version?: string | undefined;
  /** The version that it is compared with; the one before, where none is named. */
  old?: string | undefined;
  /** The folder that is shown, as the server spells it. */
  path?: string | undefined;
  /** The file in it that is looked into. */
  file?: string | undefined;
}

export const datasetsSearch = (raw: Raw): DatasetsSearch => ({
  tab: allowed(raw.tab, ['trash'] as const)[0],
  search: one(raw.search),
  whose: allowed(raw.whose, WHOSE)[0],
});

export const datasetSearch = (raw: Raw): DatasetSearch => ({
  tab: allowed(raw.tab, DATASET_TABS)[0],
  version: one(raw.version),
  old: one(raw.old),
  path: one(raw.path),
  file: one(raw.file),
});
