/** Sums over nodes and their GPUs: what is free, and who holds which. */
import type { Node, NodeTask } from '@/api/nodes';

export interface Sum {
  nodes: number;
  gpus: number;
  /** Not held, on nodes that take work. */
  free: number;
}

export interface Card {
  index: number;
  holders: NodeTask[];
  /** The part in use: 0, 1, between them for a share, null where that is not told. */
  used: number | null;
  /** Held by others than Danlu. */
  others: boolean;
}

export function inService({ state }: Pick<Node, 'state'>): boolean {
  return state === 'ready' || state === 'occupied';
}

/** As the panel counts: what is off is not there; what is closed to jobs is there, and not free. */
export function sumUp(nodes: Node[]): Sum {
  let gpus = 0;
  let free = 0;
  for (const node of nodes) {
    if (node.state !== 'off') gpus += node.gpus.length;
    free += node.free.gpus;
  }
  return { nodes: nodes.length, gpus, free };
}

export function share(used: number, total: number): number {
  return total > 0 ? Math.min(1, Math.max(0, used / total)) : 0;
}

/**
 * The GPUs of a node with those who hold them. The server tells how much of a node is used, not of each GPU; but a task
 * with several has them whole, so what is left belongs to those with one. Which GPUs others than Danlu hold is not told
 * either: they are drawn on the last free ones.
 */
export function cardsOf(node: Node): Card[] {
  const holders = new Map<number, NodeTask[]>();
  for (const task of node.tasks) for (const index of task.gpus) holders.set(index, [...(holders.get(index) ?? []), task]);

  const whole = node.tasks.reduce((sum, task) => sum + (task.gpus.length > 1 ? task.gpus.length : 0), 0);
  const left = node.used.gpus - whole;
  const single = [...holders.values()].filter((tasks) => tasks.every((task) => task.gpus.length === 1)).length;

  const idle = node.gpus.filter(({ index }) => !holders.has(index));
  const others = new Set(idle.slice(Math.max(0, idle.length - node.foreign.gpus)).map(({ index }) => index));
  return node.gpus.map(({ index }) => {
    const tasks = holders.get(index) ?? [];
    const isSingle = tasks.length > 0 && tasks.every((task) => task.gpus.length === 1);
    return { index, holders: tasks, used: usedOf(tasks.length, isSingle, left, single), others: others.has(index) };
  });
}

function usedOf(holders: number, isSingle: boolean, left: number, single: number): number | null {
  if (holders === 0) return 0;
  if (!isSingle || left >= single - 1e-6) return 1;
  return single === 1 && left > 0 ? left : null;
}

/** Surely held in part, or by several. */
export function isShared({ holders, used }: Card): boolean {
  return holders.length > 1 || (used !== null && used > 0 && used < 1);
}

/** GPUs by owner, most first. A shared GPU counts for each of its holders. */
export function ownersOf(nodes: Node[]): [owner: string, gpus: number][] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const task of node.tasks) {
      if (task.gpus.length > 0) counts.set(task.owner, (counts.get(task.owner) ?? 0) + task.gpus.length);
    }
  }
  return [...counts].sort(([nameA, a], [nameB, b]) => b - a || nameA.localeCompare(nameB));
}
