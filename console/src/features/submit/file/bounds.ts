/** What the machines can hold: bounds for the fields, before anyone runs into them. */
import type { Node } from '@/api/nodes';
import type { Flavor } from '@/api/rules/flavors';
import type { Translate } from '@/app/i18n';
import type { Range } from '../frameworks';
import { modelsIn, textAt, valueAt } from './reading';
import { DEFAULT_MEMORY, parseSize } from '@/parts/quantities';

type Machine = Pick<Node, 'state' | 'cpus' | 'memory' | 'gpu_model' | 'gpus' | 'labels' | 'used'>;

export interface Size {
  gpus: number;
  models: string[];
  cpus: number;
  memory: number;
}

export interface GpuModel {
  name: string;
  total: number;
  free: number;
  /** The most of them in one machine. */
  most: number;
}

/** The machines that a job may go to: not switched off, with the labels it asks for. */
export function suiting(nodes: readonly Machine[], selector: [name: string, value: unknown][]): Machine[] {
  return nodes.filter((node) => node.state !== 'off' && selector.every(([label, value]) => node.labels[label] === value));
}

export function gpuModels(nodes: readonly Machine[]): GpuModel[] {
  const found = new Map<string, GpuModel>();
  for (const { gpu_model: name, gpus, used, state } of nodes) {
    if (!name || gpus.length === 0) continue;
    const model = found.get(name) ?? { name, total: 0, free: 0, most: 0 };
    model.total += gpus.length;
    model.free += state === 'ready' ? Math.max(0, gpus.length - used.gpus) : 0;
    model.most = Math.max(model.most, gpus.length);
    found.set(name, model);
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The size of a task that the file or a flavor asks for. */
export function sizeAt(part: unknown, flavors: readonly Flavor[]): Size {
  const flavor = flavors.find(({ name }) => name === textAt(part, ['flavor']));
  const resources = flavor?.resources ?? valueAt(part, ['resources']);
  const number = (key: string, otherwise: number) => Number(valueAt(resources, [key]) ?? otherwise) || 0;
  return {
    gpus: number('gpus', 0),
    models: modelsIn(valueAt(resources, ['gpu'])),
    cpus: number('cpus', 1),
    memory: parseSize(textAt(resources, ['memory'])) ?? DEFAULT_MEMORY,
  };
}

/** The most that one machine has of each. */
export function largest(nodes: readonly Machine[], models: string[]): { gpus: number; cpus: number; memory: number } {
  const fitting = withModel(nodes, models);
  const most = (of: (node: Machine) => number) => Math.max(0, ...fitting.map(of));
  return { gpus: most((node) => node.gpus.length), cpus: most((node) => node.cpus), memory: most((node) => node.memory) };
}

/** What all machines have together. */
export function altogether(nodes: readonly Machine[], models: string[]): { gpus: number; cpus: number; memory: number } {
  const fitting = withModel(nodes, models);
  const sum = (of: (node: Machine) => number) => fitting.reduce((total, node) => total + of(node), 0);
  return { gpus: sum((node) => node.gpus.length), cpus: sum((node) => node.cpus), memory: sum((node) => node.memory) };
}

/** How many tasks of a size the machines could hold at once, were they idle. */
export function roomFor(nodes: readonly Machine[], { gpus, models, cpus, memory }: Size): number {
  const fits = (node: Machine) => {
    const byGpu =
      gpus <= 0
        ? Number.POSITIVE_INFINITY
        : gpus < 1
          ? node.gpus.length * Math.floor(1 / gpus + 1e-9)
          : Math.floor(node.gpus.length / gpus);
    return Math.max(0, Math.floor(Math.min(byGpu, node.cpus / Math.max(cpus, 0.001), node.memory / Math.max(memory, 1))));
  };
  return withModel(nodes, gpus > 0 ? models : []).reduce((sum, node) => sum + fits(node), 0);
}

/** Round numbers of GPUs worth a button. */
export function gpuSteps(most: number): number[] {
  const steps = [0, 1, 2, 4, 8, 16, 32, 64].filter((count) => count <= most);
  return most > 1 && !steps.includes(most) ? [...steps, most] : steps;
}

/** "1–4", "at least 1", "1": as the server says it. */
export function rangeInWords({ least, most }: Range, t: Translate): string {
  if (most === null) return t('framework.atLeast', { count: least });
  return most === least ? String(least) : `${least}–${most}`;
}

/** The server takes `a100` for A100. */
export const sameModel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function withModel(nodes: readonly Machine[], models: string[]): Machine[] {
  if (models.length === 0) return [...nodes];
  return nodes.filter(({ gpu_model: has }) => has !== null && models.some((model) => sameModel(model, has)));
}
