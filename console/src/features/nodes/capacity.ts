/** Sums over nodes: what is free and what there is. */
import type { Node, NodeTask } from '@/api/types';

export interface Total {
  /** Null stands for CPUs. */
  model: string | null;
  free: number;
  total: number;
}

/** Per GPU model, then the CPUs. Free counts only nodes that take work. */
export function totalsByModel(nodes: Node[]): Total[] {
  const models = new Map<string, Total>();
  const cpus: Total = { model: null, free: 0, total: 0 };
  for (const node of nodes) {
    const open = node.state === 'ready' || node.state === 'occupied';
    cpus.total += node.cpus;
    if (open) cpus.free += Math.max(0, node.cpus - node.used.cpus);
    if (node.gpus.length === 0) continue;
    const model = node.gpu_model ?? 'GPU';
    const sum = models.get(model) ?? { model, free: 0, total: 0 };
    sum.total += node.gpus.length;
    if (open) sum.free += Math.max(0, node.gpus.length - node.used.gpus);
    models.set(model, sum);
  }
  return [...[...models.values()].sort((a, b) => b.total - a.total), cpus];
}

/** Who holds each GPU of a node. */
export function holders(node: Node): Map<number, NodeTask> {
  const held = new Map<number, NodeTask>();
  for (const task of node.tasks) for (const index of task.gpus) held.set(index, task);
  return held;
}

export function share(used: number, total: number): number {
  return total > 0 ? Math.min(1, Math.max(0, used / total)) : 0;
}
