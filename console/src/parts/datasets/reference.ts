/** How a version of a dataset is written: `cifar@v3`, of somebody else `wang:cifar@v3`. */
import type { DatasetRow } from '@/api/datasets';

/** The tag that the newest version has by itself. */
export const LATEST = 'latest';

type Named = Pick<DatasetRow, 'owner' | 'name' | 'title'>;

/** One's own by its name alone. */
export const datasetRef = ({ owner, name, title }: Named, me: string): string => (owner === me ? name : title);

export const versionRef = (dataset: Named, version: string, me: string): string => `${datasetRef(dataset, me)}@${version}`;

/** The two parts of what a job file says; without a version it is the newest. */
export function splitRef(ref: string): [dataset: string, version: string] {
  const at = ref.indexOf('@');
  return at === -1 ? [ref, LATEST] : [ref.slice(0, at), ref.slice(at + 1) || LATEST];
}
