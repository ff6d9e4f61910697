/** What a framework's strategy makes of a job file: the roles it knows, and the way from one strategy to another. */
import type { Framework, RoleShape, Strategy } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import type { Edit } from '@/parts/jobs/job-file-edit';
import { rolesOf, textAt, valueAt } from './file/reading';

export const NONE = 'none';
export const WORKER = 'worker';
const PLAIN_KEYS = new Set(['name', 'replicas', 'min']);
/** What a role that needs no GPU begins with. */
const WITHOUT_GPUS = { cpus: 2, memory: '4GiB' };

export function frameworkOf(file: JobFile, frameworks: readonly Framework[]): Framework | undefined {
  const name = textAt(file, ['framework']) || NONE;
  return frameworks.find((framework) => framework.name === name);
}

/** The strategy that the file names, or the framework's usual one; without a framework there is none to keep to. */
export function strategyOf(file: JobFile, frameworks: readonly Framework[]): Strategy | undefined {
  const framework = frameworkOf(file, frameworks);
  if (framework === undefined || framework.name === NONE) return undefined;
  const name = textAt(file, ['strategy']);
  return name === '' ? framework.strategies[0] : framework.strategies.find((strategy) => strategy.name === name);
}

export function shapeOfRole(strategy: Strategy | undefined, name: string): RoleShape | undefined {
  return strategy?.roles.find((shape) => shape.name === name);
}

/** Whether workers alone would not do. */
export function needsRoles(strategy: Strategy): boolean {
  return strategy.roles.some(({ name, least }) => name !== WORKER && least > 0);
}

/** What the strategy knows and the file has not. */
export function missingRoles(file: JobFile, strategy: Strategy): RoleShape[] {
  const names = new Set(rolesOf(file).map((role) => textAt(role, ['name'])));
  return strategy.roles.filter(({ name }) => !names.has(name));
}

export interface Range {
  least: number;
  /** Null: as many as there is room for. */
  most: number | null;
}

/** How many tasks a role may have beside so many workers; there is no use for more that serve them than of them. */
export function roleBounds({ least, most, one_for: ratio }: RoleShape, workers: number): Range {
  return { least, most: ratio ? Math.max(least, workers) : (most ?? null) };
}

/** How many tasks of a role that serves the workers are usual beside so many of them. */
export function usualCount({ least, one_for: ratio }: RoleShape, workers: number): number | undefined {
  return ratio ? Math.max(least, Math.ceil(workers / ratio)) : undefined;
}

export function workersIn(file: JobFile): number {
  const role = rolesOf(file).find((each) => textAt(each, ['name']) === WORKER);
  return role === undefined ? 0 : Number(valueAt(role, ['replicas']) ?? 1) || 0;
}

/** What was written and has no place in the present strategy; it comes back where it has one. */
export interface Kept {
  roles: Record<string, Record<string, unknown>>;
  min?: unknown;
  processes?: unknown;
}

export const NOTHING_KEPT: Kept = { roles: {} };

/** The changes that make a file one of another framework or strategy, and what to keep until later. */
export function retrain(
  file: JobFile,
  to: { framework: Framework; strategy: string },
  frameworks: readonly Framework[],
  kept: Kept,
): { edits: Edit[]; kept: Kept } {
  const before = strategyOf(file, frameworks);
  const [usual] = to.framework.strategies;
  const after = to.framework.strategies.find(({ name }) => name === to.strategy) ?? usual;
  const put: Kept = { ...kept, roles: { ...kept.roles } };
  const named: JobFile = {
    framework: to.framework.name === NONE ? undefined : to.framework.name,
    strategy: after === usual ? undefined : after?.name,
  };
  if (after === undefined || to.framework.name === NONE)
    return { edits: changes(file, { ...named, processes: undefined }), kept: { ...put, processes: file.processes ?? kept.processes } };
  const next: JobFile = { ...named, ...sized(file, before, after, put), ...spread(file, after, put) };
  return { edits: changes(file, next), kept: put };
}

/** Nodes or roles, with as many tasks at work as before. */
function sized(file: JobFile, before: Strategy | undefined, after: Strategy, put: Kept): JobFile {
  const leader = after.roles.find(leads);
  const found = new Map<string, Record<string, unknown>>();
  for (const role of rolesOf(file) as Record<string, unknown>[]) {
    const name = textAt(role, ['name']);
    const led = leader && !shapeOfRole(after, name) && leadsIn(before, name);
    if (shapeOfRole(after, name)) found.set(name, role);
    else if (led && !found.has(leader.name)) found.set(leader.name, { ...role, name: leader.name });
    else put.roles[name] = role;
  }
  const count = working(file, before);
  const shown = after.roles.filter(({ name, least }) => found.has(name) || least > 0 || name === WORKER);
  const ahead = shown.some((shape) => leads(shape) && shape.gpus) ? 1 : 0;
  const workers = Math.max(shapeOfRole(after, WORKER)?.least ?? 1, count - ahead, after.elastic ? 2 : 1);
  const roles = shown.map((shape) => tasks(shape, found.get(shape.name) ?? put.roles[shape.name] ?? fresh(file, shape), workers, after));
  const [only] = roles;
  if (roles.length > 1 || (only && Object.keys(only).some((key) => !PLAIN_KEYS.has(key)))) return { nodes: undefined, roles };
  if (file.nodes === 'auto' && !after.elastic) return { nodes: 'auto', roles: undefined };
  return { nodes: workers === 1 ? undefined : workers, roles: undefined };
}

/** The role that goes first; none where all are alike. */
export function leaderOf(strategy: Strategy | undefined): string | undefined {
  return strategy ? strategy.roles.find(leads)?.name : 'master';
}

/** Who goes first, and works like the others or hands out their work. */
function leads({ name, most, serves }: RoleShape): boolean {
  return name !== WORKER && most === 1 && !serves;
}

function leadsIn(strategy: Strategy | undefined, name: string): boolean {
  const shape = shapeOfRole(strategy, name);
  return shape ? leads(shape) : name === 'master' || name === 'chief';
}

/** How many tasks compute: the workers, and a leader that is one of them. */
function working(file: JobFile, strategy: Strategy | undefined): number {
  const roles = rolesOf(file);
  if (roles.length === 0) return typeof file.nodes === 'number' ? file.nodes : 1;
  const computing = roles.filter((role) => {
    const name = textAt(role, ['name']);
    return name === WORKER || (leadsIn(strategy, name) && (shapeOfRole(strategy, name)?.gpus ?? true));
  });
  return computing.reduce<number>((sum, role) => sum + (Number(valueAt(role, ['replicas']) ?? 1) || 1), 0);
}

function fresh(file: JobFile, { name, gpus }: RoleShape): Record<string, unknown> {
  const asksForGpus = file.flavor !== undefined || Number(valueAt(file, ['resources', 'gpus']) ?? 0) > 0;
  return { name, ...(!gpus && asksForGpus && { resources: { ...WITHOUT_GPUS } }) };
}

/** The role as often as it is needed; `min` is for strategies that go on with fewer. */
function tasks(shape: RoleShape, role: Record<string, unknown>, workers: number, strategy: Strategy): Record<string, unknown> {
  const { name, replicas, min, ...rest } = role;
  const count = shape.name === WORKER ? workers : (replicas ?? usualCount(shape, workers));
  return {
    name,
    ...(count !== undefined && (count !== 1 || replicas !== undefined) && { replicas: count }),
    ...(strategy.elastic && min !== undefined && { min }),
    ...rest,
  };
}

/** How few may go on, and how many processes each task has: where the strategy knows of it. */
function spread(file: JobFile, after: Strategy, put: Kept): JobFile {
  const min = file.min ?? put.min;
  const processes = file.processes ?? put.processes;
  put.min = min;
  put.processes = processes;
  return { min: after.elastic ? (min ?? 1) : undefined, processes: after.processes ? processes : undefined };
}

function changes(file: JobFile, next: JobFile): Edit[] {
  return Object.entries(next)
    .filter(([key, value]) => JSON.stringify(valueAt(file, [key])) !== JSON.stringify(value))
    .map(([key, value]) => ({ path: [key], value }));
}
