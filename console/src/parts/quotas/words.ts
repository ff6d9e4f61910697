/** What quotas speak of, in words: classes, resources, kinds of storage, amounts. */
import type { MessageKey, Translate } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/words/format';

/** In the order of the tables; `all` is for all classes together. */
export const QUOTA_CLASSES = ['all', 'workspace', 'single', 'distributed', 'service'] as const;
export const QUOTA_RESOURCES = ['gpus', 'cpus', 'memory', 'jobs', 'tasks'] as const;
export const STORAGE_TYPES = ['block', 'filesystem', 'local', 'bucket', 'ephemeral', 'results'] as const;

const CLASSES: Partial<Record<string, MessageKey>> = {
  all: 'quota.all',
  workspace: 'class.workspace',
  single: 'class.single',
  distributed: 'class.distributed',
  service: 'class.service',
};
const RESOURCES: Partial<Record<string, MessageKey>> = {
  gpus: 'quota.gpus',
  cpus: 'quota.cpus',
  memory: 'quota.memory',
  jobs: 'quota.jobs',
  tasks: 'quota.tasks',
};
const STORAGE: Partial<Record<string, MessageKey>> = {
  block: 'storage.block',
  filesystem: 'storage.filesystem',
  local: 'storage.local',
  bucket: 'storage.bucket',
  code: 'storage.code',
  ephemeral: 'storage.ephemeral',
  results: 'storage.results',
  dataset: 'storage.dataset',
};

const named =
  (words: Partial<Record<string, MessageKey>>) =>
  (name: string, t: Translate): string => {
    const key = words[name];
    return key ? t(key) : name;
  };

export const className = named(CLASSES);
/** A GPU model goes by its own name. */
export const resourceName = named(RESOURCES);
export const storageName = named(STORAGE);

export function formatAmount(resource: string, amount: number): string {
  return resource === 'memory' ? formatBytes(amount) : formatCount(amount);
}

const first = (order: readonly string[], name: string): number => (order.indexOf(name) + order.length + 1) % (order.length + 1);

/** As the tables have them; GPU models last, by name. */
export const byResource = (a: string, b: string): number => first(QUOTA_RESOURCES, a) - first(QUOTA_RESOURCES, b) || a.localeCompare(b);
export const byClass = (a: string, b: string): number => first(QUOTA_CLASSES, a) - first(QUOTA_CLASSES, b) || a.localeCompare(b);
