/** How mounts of a job file name volumes, and which there are to choose from. */
import type { DatasetRow } from '@/api/datasets';
import type { JobFile } from '@/api/jobs';
import type { VolumeKind, VolumeRow } from '@/api/volumes';
import type { MessageKey, Translate } from '@/app/i18n';
import { datasetRef } from '@/parts/datasets/reference';
import { mountsOf, taskCount, textAt } from '../file/reading';

/** What stands for the node's own disk among the volumes; no volume has such a name. */
export const LOCAL = '/local';

const KIND_WORDS: Record<VolumeKind, MessageKey> = {
  block: 'storage.block',
  filesystem: 'storage.filesystem',
  bucket: 'storage.bucket',
  nfs: 'storage.nfs',
};

/** Which kind of volume serves what the job does, and why. */
export function bestFor(file: JobFile): { kind: VolumeKind; why: MessageKey } {
  if (taskCount(file) > 1) return { kind: 'filesystem', why: 'mounts.bestMany' };
  const writes = mountsOf(file).some((mount) => textAt(mount, ['mode']) === 'rw');
  return writes ? { kind: 'block', why: 'mounts.bestWriter' } : { kind: 'filesystem', why: 'mounts.bestReader' };
}

/** Whether a volume may be written by this job: of a block volume one task is the writer. The server's own rule decides. */
export const servesWriters = ({ kind }: Pick<VolumeRow, 'kind'>, file: JobFile): boolean => kind !== 'block' || taskCount(file) === 1;

/** As the job file names it: one's own by its name alone. */
export const refOf = ({ owner, name, title }: Pick<VolumeRow, 'owner' | 'name' | 'title'>, me: string): string =>
  owner === me ? name : title;

export const volumeAt = (volumes: readonly VolumeRow[], ref: string, me: string): VolumeRow | undefined =>
  volumes.find((volume) => ref !== '' && [refOf(volume, me), volume.title, volume.id].includes(ref));

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

/** One's own, those that are shared with one, public ones. */
export function grouped(volumes: readonly VolumeRow[], me: string, t: Translate): Group[] {
  const usable = volumes.filter(({ mode }) => mode !== null);
  const mine = usable.filter(({ owner }) => owner === me);
  const open = usable.filter(({ owner, public: everybody, mode }) => owner !== me && everybody && mode === 'ro');
  const shared = usable.filter((volume) => !mine.includes(volume) && !open.includes(volume));
  const group = (name: string, of: VolumeRow[]): Group[] =>
    of.length === 0 ? [] : [{ group: name, items: of.map((volume) => ({ value: refOf(volume, me), label: labelOf(volume, me, t) })) }];
  return [...group(t('mounts.mine'), mine), ...group(t('mounts.shared'), shared), ...group(t('mounts.public'), open)];
}

function labelOf(volume: VolumeRow, me: string, t: Translate): string {
  return `${refOf(volume, me)} · ${t(KIND_WORDS[volume.kind])}`;
}

/** What a choice among volumes and datasets holds for a dataset: no volume has such a name. */
export const DATASET = '/dataset/';

/** The datasets that one may read, that have a version. */
export function datasetGroup(datasets: readonly DatasetRow[], me: string, t: Translate): Group[] {
  const usable = datasets.filter(({ mode, latest }) => mode !== null && latest !== null);
  if (usable.length === 0) return [];
  const items = usable.map((one) => ({ value: DATASET + datasetRef(one, me), label: `${datasetRef(one, me)} · ${one.latest}` }));
  return [{ group: t('mounts.datasets'), items }];
}

export const datasetAt = (datasets: readonly DatasetRow[], ref: string, me: string): DatasetRow | undefined =>
  datasets.find((one) => ref !== '' && [datasetRef(one, me), one.title, one.id].includes(ref));

/** Where nothing else is mounted. */
export function newPath(mounts: readonly unknown[]): string {
  const taken = new Set(mounts.map((mount) => textAt(mount, ['path'])));
  let path = '/data';
  for (let number = 2; taken.has(path); number += 1) path = `/data${number}`;
  return path;
}
