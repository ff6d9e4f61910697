/** The shapes of a job: one machine, several alike, a total that Danlu divides, or roles; and the way from one to another. */
import type { JobFile } from '@/api/jobs';
import type { Edit } from '@/parts/jobs/job-file-edit';
import { isWorkspace, rolesOf, textAt, valueAt } from './reading';

export const SHAPES = ['single', 'several', 'total', 'roles'] as const;
export type Shape = (typeof SHAPES)[number];

/** What belongs to a shape alone; kept while the person looks at another. */
export type Shelf = Partial<Record<Shape, JobFile>>;

const OWN_KEYS = ['nodes', 'min', 'roles'] as const;

export function shapeOf(file: JobFile): Shape {
  if (file.roles !== undefined && file.roles !== null) return 'roles';
  if (file.nodes === 'auto') return 'total';
  return file.nodes === undefined || file.nodes === null || file.nodes === 1 ? 'single' : 'several';
}

/** Puts away what only the present shape has. */
export function shelve(file: JobFile, shelf: Shelf): Shelf {
  const own = Object.fromEntries(OWN_KEYS.filter((key) => file[key] !== undefined).map((key) => [key, file[key]]));
  return { ...shelf, [shapeOf(file)]: own };
}

/** The changes that make a file one of another shape; what was put away for it comes back. `leader`: the role that goes first. */
export function reshape(file: JobFile, to: Shape, shelf: Shelf = {}, leader: string | undefined = 'master'): Edit[] {
  const from = shapeOf(file);
  if (from === to) return [];
  const own = { ...begin(file, to, leader), ...shelf[to] };
  const keys = OWN_KEYS.map((key) => ({ path: [key], value: own[key] }));
  return [...keys, ...size(file, from, to), ...liftRole(file, from)].filter(
    ({ path, value }) => value !== undefined || valueAt(file, path) !== undefined,
  );
}

/** A workspace is one machine, and its command is its own. */
export function rekind(file: JobFile, kind: 'training' | 'workspace'): Edit[] {
  const edits: Edit[] = kind === 'workspace' && !isWorkspace(file) ? [...reshape(file, 'single'), ...withoutFramework(file)] : [];
  return [{ path: ['kind'], value: kind }, ...edits];
}

function withoutFramework(file: JobFile): Edit[] {
  return ['framework', 'strategy', 'processes'].filter((key) => file[key] !== undefined).map((key) => ({ path: [key], value: undefined }));
}

function begin(file: JobFile, to: Shape, leader: string | undefined): JobFile {
  const count = countOf(file);
  if (to === 'several') return { nodes: Math.max(2, count) };
  if (to === 'total') return { nodes: 'auto' };
  if (to === 'roles') {
    const ahead = leader === undefined ? [] : [{ name: leader }];
    return { roles: [...ahead, { name: 'worker', replicas: Math.max(1, count - ahead.length) }] };
  }
  return {};
}

/** A total is what all tasks have together. */
function size(file: JobFile, from: Shape, to: Shape): Edit[] {
  const gpus = Number(valueAt(file, ['resources', 'gpus']) ?? 0);
  if (to === 'total') {
    const whole = Math.max(2, Math.ceil(gpus * (from === 'several' ? countOf(file) : 1)));
    return file.flavor === undefined ? [{ path: ['resources', 'gpus'], value: whole }] : [];
  }
  if (from === 'total' && to === 'several' && gpus > 1) return [{ path: ['resources', 'gpus'], value: Math.max(1, Math.floor(gpus / 2)) }];
  return [];
}

/** The first role's own command and size become the job's, where the job has none. */
function liftRole(file: JobFile, from: Shape): Edit[] {
  const roles = rolesOf(file);
  const role = roles.find((each) => textAt(each, ['name']) === 'worker') ?? roles[0];
  if (from !== 'roles' || role === undefined) return [];
  const edits: Edit[] = [];
  if (textAt(file, ['command']) === '') edits.push({ path: ['command'], value: valueAt(role, ['command']) });
  if (file.resources === undefined && file.flavor === undefined) {
    for (const key of ['resources', 'flavor']) edits.push({ path: [key], value: valueAt(role, [key]) });
  }
  return edits.filter(({ value }) => value !== undefined);
}

function countOf(file: JobFile): number {
  const roles = rolesOf(file);
  if (roles.length > 0) return roles.reduce<number>((sum, role) => sum + (Number(valueAt(role, ['replicas']) ?? 1) || 1), 0);
  return typeof file.nodes === 'number' ? file.nodes : 1;
}
