/** Calls about datasets, their versions, and what is under way with them. */
import { ALL, api, apiUrl, ask, askItems } from './client';
import type { FileOrder } from './files';
import type { Schemas } from './types';
import type { RowsPreview, VolumeShare } from './volumes';

export type DatasetRow = Schemas['DatasetRow'];
export type Dataset = Schemas['Dataset'];
export type DatasetEdit = Schemas['DatasetEdit'];
export type DatasetVersion = Schemas['DatasetVersion'];
export type DatasetSummary = Schemas['DatasetSummary'];
/** A snapshot or a verification, and how far it is. */
export type DatasetRecipe = Schemas['DatasetRecipe'];
export type RecipeImport = Schemas['RecipeImport'];
export type DatasetAct = Schemas['DatasetAct'];
export type DatasetFiles = Schemas['DatasetFileList'];
export type DatasetDiff = Schemas['DatasetDiffPage'];
export type DatasetChange = Schemas['DatasetChange'];
export type SnapshotCreate = Schemas['SnapshotCreate'];
export type Lineage = Schemas['DatasetLineage'];
export type LineageNode = Schemas['LineageNode'];

export const datasetKeys = {
  all: ['datasets'] as const,
  list: ['datasets', 'list'] as const,
  trashed: ['datasets', 'trashed'] as const,
  recipes: ['dataset-recipes'] as const,
  one: (dataset: string) => ['datasets', 'one', dataset] as const,
  versions: (dataset: string) => ['datasets', 'versions', dataset] as const,
  version: (dataset: string, version: string) => ['datasets', 'version', dataset, version] as const,
  acts: (dataset: string) => ['datasets', 'acts', dataset] as const,
  // What is in a version never changes: under a word of its own nothing asks for it again.
  files: (dataset: string, version: string) => ['dataset-files', dataset, version] as const,
  diff: (dataset: string, version: string, old: string | undefined) => ['dataset-diff', dataset, version, old] as const,
  lineage: (dataset: string) => ['datasets', 'lineage', dataset] as const,
};

/** One's own, those shared with one, public ones. */
export const listDatasets = (signal?: AbortSignal): Promise<DatasetRow[]> => askItems(api.GET('/api/v1/datasets', { ...ALL, signal }));

export const listTrashedDatasets = (signal?: AbortSignal): Promise<DatasetRow[]> =>
  askItems(api.GET('/api/v1/datasets', { params: { query: { ...ALL.params.query, trashed: true } }, signal }));

export const getDataset = (dataset: string, signal?: AbortSignal): Promise<Dataset> =>
  ask(api.GET('/api/v1/datasets/{dataset}', { params: { path: { dataset } }, signal }));

export const createDataset = (name: string, description = ''): Promise<Dataset> =>
  ask(api.POST('/api/v1/datasets', { body: { name, description } }));

export const editDataset = (dataset: string, body: DatasetEdit): Promise<Dataset> =>
  ask(api.PATCH('/api/v1/datasets/{dataset}', { params: { path: { dataset } }, body }));

/** Into the trash; from there for good. */
export const deleteDataset = async (dataset: string, forever = false): Promise<void> => {
  await ask(api.DELETE('/api/v1/datasets/{dataset}', { params: { path: { dataset }, query: { forever } } }));
};

export const restoreDataset = (dataset: string): Promise<Dataset> =>
  ask(api.POST('/api/v1/datasets/{dataset}/restore', { params: { path: { dataset } } }));

/** In place of all that there are. */
export const shareDataset = (dataset: string, shares: VolumeShare[]): Promise<Dataset> =>
  ask(api.PUT('/api/v1/datasets/{dataset}/shares', { params: { path: { dataset } }, body: { shares } }));

/** The newest first, as many as a page holds. */
export const listVersions = (dataset: string, signal?: AbortSignal): Promise<DatasetVersion[]> =>
  askItems(api.GET('/api/v1/datasets/{dataset}/versions', { params: { path: { dataset }, ...ALL.params }, signal }));

export const deleteVersion = async (dataset: string, version: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/datasets/{dataset}/versions/{version}', { params: { path: { dataset, version } } }));
};

/** The version that had the tag loses it. */
export const setTag = (dataset: string, tag: string, version: string): Promise<DatasetVersion> =>
  ask(api.PUT('/api/v1/datasets/{dataset}/tags/{tag}', { params: { path: { dataset, tag } }, body: { version } }));

export const removeTag = async (dataset: string, tag: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/datasets/{dataset}/tags/{tag}', { params: { path: { dataset, tag } } }));
};

export const getLineage = (dataset: string, signal?: AbortSignal): Promise<Lineage> =>
  ask(api.GET('/api/v1/datasets/{dataset}/lineage', { params: { path: { dataset } }, signal }));

// ── what is under way ────────────────────────────────────────────────────────────────────────────────

export const makeSnapshot = (dataset: string, body: SnapshotCreate): Promise<DatasetAct> =>
  ask(api.POST('/api/v1/datasets/{dataset}/snapshots', { params: { path: { dataset } }, body }));

export const verifyVersion = (dataset: string, version: string): Promise<DatasetAct> =>
  ask(api.POST('/api/v1/datasets/{dataset}/versions/{version}/verify', { params: { path: { dataset, version } } }));

export const listActs = (dataset: string, signal?: AbortSignal): Promise<DatasetAct[]> =>
  askItems(api.GET('/api/v1/datasets/{dataset}/acts', { params: { path: { dataset } }, signal }));

export const cancelAct = (dataset: string, act: string): Promise<DatasetAct> =>
  ask(api.DELETE('/api/v1/datasets/{dataset}/acts/{act}', { params: { path: { dataset, act } } }));

export const resumeImport = (dataset: string, act: string): Promise<DatasetAct> =>
  ask(api.POST('/api/v1/datasets/{dataset}/acts/{act}/resume', { params: { path: { dataset, act } } }));

/** Public sets that can be imported. */
export const listRecipes = (signal?: AbortSignal): Promise<DatasetRecipe[]> => askItems(api.GET('/api/v1/dataset-recipes', { signal }));

/** Into a dataset, new or there already: its id, and the act that tells how far it is. */
export const importRecipe = (recipe: string, body: RecipeImport): Promise<Schemas['DatasetImport']> =>
  ask(api.POST('/api/v1/dataset-recipes/{recipe}/import', { params: { path: { recipe } }, body }));

// ── files ────────────────────────────────────────────────────────────────────────────────────────────

export const listDatasetFiles = (
  dataset: string,
  version: string,
  path: string,
  order: FileOrder,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<DatasetFiles> =>
  ask(
    api.GET('/api/v1/datasets/{dataset}/versions/{version}/files', {
      params: { path: { dataset, version }, query: { path, ...order, cursor } },
      signal,
    }),
  );

/** Where the browser downloads a file from, or a folder as an archive. */
export const datasetFileUrl = (dataset: string, version: string, path: string): string =>
  apiUrl(`datasets/${encodeURIComponent(dataset)}/versions/${version}/file`, { path });

/** The columns and first rows of a file of rows. */
export const previewDatasetRows = (dataset: string, version: string, path: string, signal?: AbortSignal): Promise<RowsPreview> =>
  ask(
    api.GET('/api/v1/datasets/{dataset}/versions/{version}/preview', { params: { path: { dataset, version }, query: { path } }, signal }),
  );

/** `old`: compared with this version; left out, with the one before. */
export const diffVersions = (
  dataset: string,
  version: string,
  old: string | undefined,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<DatasetDiff> =>
  ask(
    api.GET('/api/v1/datasets/{dataset}/versions/{version}/diff', {
      params: { path: { dataset, version }, query: { old, cursor, limit: 200 } },
      signal,
    }),
  );
