/** Which nodes are shown, and in which order and groups. */
import type { Node, NodeState } from '@/api/nodes';
import { sumUp } from './capacity';
import type { Sum } from './capacity';
import { NODE_STATES } from './search';
import type { Grouping, NodeFilter, NodeSort } from './search';

export interface Group {
  /** A model, a pool, a cluster or a state; empty for nodes without GPUs. */
  key: string;
  nodes: Node[];
  sum: Sum;
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

export function modelOf(node: Node): string {
  return node.gpus.length === 0 ? '' : (node.gpu_model ?? 'GPU');
}

/** The machine that Danlu runs on goes by a name that no cluster may have. */
export function clusterOf(node: Node): string {
  return node.cluster || 'local';
}

/** Words that all must be found, in whatever people know a node by. */
export function filterNodes(nodes: Node[], { search, state, pool, model, cluster }: NodeFilter): Node[] {
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return nodes.filter(
    (node) =>
      (state === undefined || state.includes(node.state)) &&
      (pool === undefined || node.pool === pool) &&
      (model === undefined || modelOf(node) === model) &&
      (cluster === undefined || clusterOf(node) === cluster) &&
      (words.length === 0 || hasWords(node, words)),
  );
}

function hasWords(node: Node, words: string[]): boolean {
  const labels = Object.entries(node.labels).map(([key, value]) => `${key}=${value}`);
  const tasks = node.tasks.flatMap((task) => [task.owner, task.job_name ?? '']);
  const text = [node.name, node.address ?? '', node.pool, node.gpu_model ?? '', ...labels, ...tasks].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const KEYS: Record<Grouping, (node: Node) => string> = {
  model: modelOf,
  pool: (node) => node.pool,
  cluster: clusterOf,
  state: (node) => node.state,
};

export function groupNodes(nodes: Node[], by: Grouping): Group[] {
  const groups = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = KEYS[by](node);
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  const made = [...groups].map(([key, members]) => ({ key, nodes: members.sort((a, b) => byName(a.name, b.name)), sum: sumUp(members) }));
  if (by === 'state') return made.sort((a, b) => stateOrder(a.key) - stateOrder(b.key));
  if (by === 'pool' || by === 'cluster') return made.sort((a, b) => byName(a.key, b.key));
  return made.sort((a, b) => b.sum.gpus - a.sum.gpus || byName(a.key, b.key));
}

export function sortNodes(nodes: Node[], sort: NodeSort): Node[] {
  const down = sort.startsWith('-');
  const compare = COMPARE[sort.replace('-', '') as keyof typeof COMPARE];
  return nodes.toSorted((a, b) => (down ? -1 : 1) * compare(a, b) || byName(a.name, b.name));
}

const COMPARE = {
  name: (a: Node, b: Node) => byName(a.name, b.name),
  state: (a: Node, b: Node) => stateOrder(a.state) - stateOrder(b.state),
  gpus: (a: Node, b: Node) => a.free.gpus - b.free.gpus,
  cpus: (a: Node, b: Node) => a.free.cpus - b.free.cpus,
  memory: (a: Node, b: Node) => a.free.memory - b.free.memory,
};

function stateOrder(state: string): number {
  return NODE_STATES.indexOf(state as NodeState);
}

export function countStates(nodes: Node[]): Record<NodeState, number> {
  const counts = { ready: 0, occupied: 0, cordoned: 0, unreachable: 0, off: 0 };
  for (const node of nodes) counts[node.state] += 1;
  return counts;
}

/** The different values, sorted. */
export function choices(nodes: Node[], of: (node: Node) => string): string[] {
  return [...new Set(nodes.map(of))].filter(Boolean).sort(byName);
}
