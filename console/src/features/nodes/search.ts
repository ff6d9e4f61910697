/** What the addresses of the node pages hold: filters, grouping, colours, the view; the window of a node's plots. */
import type { NodeState } from '@/api/nodes';
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const NODE_STATES = ['ready', 'occupied', 'cordoned', 'unreachable', 'off'] as const satisfies readonly NodeState[];
export const GROUPINGS = ['model', 'pool', 'cluster', 'state'] as const;
export const COLOURS = ['owner', 'time'] as const;
export const VIEWS = ['map', 'table'] as const;
export const NODE_SORTS = ['name', '-name', 'state', '-state', 'gpus', '-gpus', 'cpus', '-cpus', 'memory', '-memory'] as const;
export const WINDOWS = ['15m', '1h', '6h', '1d', '7d'] as const;

export type Grouping = (typeof GROUPINGS)[number];
export type Colouring = (typeof COLOURS)[number];
export type View = (typeof VIEWS)[number];
export type NodeSort = (typeof NODE_SORTS)[number];
export type Window = (typeof WINDOWS)[number];

/** Which nodes are wanted. */
export interface NodeFilter {
  search?: string | undefined;
  state?: NodeState[] | undefined;
  pool?: string | undefined;
  model?: string | undefined;
  cluster?: string | undefined;
}

export interface NodesSearch extends NodeFilter {
  /** Whose GPUs stand out. */
  owner?: string | undefined;
  group?: Grouping | undefined;
  colour?: Colouring | undefined;
  view?: View | undefined;
  sort?: NodeSort | undefined;
}

export interface NodeSearch {
  window?: Window | undefined;
}

export function nodesSearch(raw: Raw): NodesSearch {
  const states = allowed(raw.state, NODE_STATES);
  return {
    search: one(raw.search),
    state: states.length > 0 ? states : undefined,
    pool: one(raw.pool),
    model: one(raw.model),
    cluster: one(raw.cluster),
    owner: one(raw.owner),
    group: allowed(raw.group, GROUPINGS)[0],
    colour: allowed(raw.colour, COLOURS)[0],
    view: allowed(raw.view, VIEWS)[0],
    sort: allowed(raw.sort, NODE_SORTS)[0],
  };
}

export function nodeSearch(raw: Raw): NodeSearch {
  return { window: allowed(raw.window, WINDOWS)[0] };
}

export function isFiltered({ search, state, pool, model, cluster }: NodeFilter): boolean {
  return [search, state, pool, model, cluster].some((value) => value !== undefined);
}
