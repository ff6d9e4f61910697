/** Small changes to a copied job, as an address holds them: `resources.memory:64GiB`; nothing after the colon takes the key away. */
import type { JobFile } from '@/api/jobs';
import type { Help } from '@/api/queue';
import { DEFAULT_MEMORY, parseSize, writeNumber, writeSize } from '../quantities';
import type { Edit } from './job-file-edit';

/** What an address may change: nothing that runs, and nothing that a glance at the form would miss. */
const RULES: [path: RegExp, value: RegExp][] = [
  [/^(roles\.\d{1,3}\.)?resources\.(gpus|cpus)$/, /^\d{1,6}(\.\d{1,3})?$/],
  [/^(roles\.\d{1,3}\.)?resources\.memory$/, /^\d{1,9}(\.\d{1,3})?[A-Za-z]{1,3}$/],
  [/^(roles\.\d{1,3}\.)?resources\.gpu$/, /^[\w .|-]{1,64}$/],
  [/^(nodes|roles\.\d{1,3}\.replicas)$/, /^[1-9]\d{0,5}$/],
  [/^max_time$/, /^(\d{1,6}(d|h|m|s))+$/],
  [/^(project|flavor)$/, /^[\w.-]{1,64}$/],
  [/^(resources|min|roles\.\d{1,3}\.min|node_selector|topology\.same)$/, /^$/],
];
const MOST_CHANGES = 8;

/** Those parameters of an address that are such changes. */
export function allowedChanges(value: unknown): string[] | undefined {
  const given = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && split(item) !== null);
  return given.length > 0 ? given.slice(0, MOST_CHANGES) : undefined;
}

export function editsOf(changes: readonly string[]): Edit[] {
  return changes.map((change) => {
    const { path, value } = split(change)!;
    return {
      path: path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      value: value === '' ? undefined : writeNumber(value),
    };
  });
}

/** In words that a file would use: `resources.memory: 64GiB`. */
export function changeInWords(change: string, without: (path: string) => string): string {
  const { path, value } = split(change)!;
  return value === '' ? without(path) : `${path}: ${value}`;
}

function split(change: string): { path: string; value: string } | null {
  const colon = change.indexOf(':');
  const [path, value] = [change.slice(0, colon), change.slice(colon + 1)];
  return colon > 0 && RULES.some(([paths, values]) => paths.test(path) && values.test(value)) ? { path, value } : null;
}

/** The changes to a file that follow from what the scheduler says would help; none where the file says it in another way. */
export function changesFor({ change, value }: Pick<Help, 'change' | 'value'>, file: JobFile): string[] {
  const [role, ...others] = Array.isArray(file.roles) ? (file.roles as JobFile[]) : [];
  const part = role ? 'roles.0.' : '';
  if (others.length > 0 && (change === 'gpus' || change === 'gpu' || change === 'tasks')) return [];
  const flavor = (role?.flavor ?? (role?.resources ? undefined : file.flavor)) !== undefined;
  const size = role?.resources ? part : '';
  switch (change) {
    case 'gpus':
    case 'gpu':
      return flavor ? [] : [`${size}resources.${change}:${value}`];
    case 'tasks':
      return role
        ? [`roles.0.replicas:${value}`, ...gone(role, 'min', 'roles.0.min'), ...gone(file, 'min', 'min')]
        : [`nodes:${value}`, ...gone(file, 'min', 'min')];
    case 'project':
    case 'max_time':
      return [`${change}:${value}`];
    case 'node_selector':
      return ['node_selector:'];
    case 'topology':
      return ['topology.same:'];
    default:
      return [];
  }
}

const gone = (holder: JobFile, key: string, path: string): string[] => (holder[key] === undefined ? [] : [`${path}:`]);

/** Twice the memory, for the role whose task ran out of it. */
export function moreMemory(file: JobFile, role: string | undefined): string[] {
  const roles = Array.isArray(file.roles) ? (file.roles as JobFile[]) : [];
  const at = roles.findIndex(({ name }) => name === role);
  const own = roles[at]?.resources as JobFile | undefined;
  const [holder, path] = own ? [roles[at]!, `roles.${at}.resources.memory`] : [file, 'resources.memory'];
  const written = (holder.resources as JobFile | undefined)?.memory;
  const had = written === undefined ? DEFAULT_MEMORY : parseSize(String(written));
  return had === null || holder.flavor !== undefined ? [] : [`${path}:${writeSize(had * 2)}`];
}
