/** Calls about nodes. */
import { api, ask, askItems } from './client';
import type { DrainReport, EventPage, Outcome, Schemas } from './types';

export type Node = Schemas['Node'];
export type NodeState = Node['state'];
export type NodeTask = Schemas['NodeTask'];
export type MoveReport = Schemas['NodeMoved'];

export const nodeKeys = {
  all: ['nodes'] as const,
  one: (name: string) => ['nodes', name] as const,
  events: (name: string) => ['nodes', name, 'events'] as const,
};

export const listNodes = (signal?: AbortSignal): Promise<Node[]> => askItems(api.GET('/api/v1/nodes', { signal }));

export const getNode = (name: string, signal?: AbortSignal): Promise<Node> =>
  ask(api.GET('/api/v1/nodes/{name}', { params: { path: { name } }, signal }));

/** Nothing new starts there, or again; `note` tells people why. */
export const cordonNodes = (nodes: string[], cordoned: boolean, note: string): Promise<Outcome[]> =>
  askItems(api.POST('/api/v1/nodes/cordon', { body: { nodes, cordoned, note } }));

/** What is left out stays; null takes a label away. */
export const labelNode = (name: string, labels: Record<string, string | null>): Promise<Node> =>
  ask(api.PATCH('/api/v1/nodes/{name}', { params: { path: { name } }, body: { labels } }));

/** To another pool; a preview tells what it would change. */
export const moveNodes = (nodes: string[], pool: string, preview: boolean): Promise<MoveReport> =>
  ask(api.POST('/api/v1/nodes/move', { body: { nodes, pool, preview } }));

/** Nothing new starts there, and what still runs at the deadline (`30m`) gives way. */
export const drainNodes = (nodes: string[], deadline: string, note: string, preview: boolean): Promise<DrainReport> =>
  ask(api.POST('/api/v1/nodes/drain', { body: { nodes, deadline, note, preview } }));

/** What happened on a node, the latest first. */
export const listNodeEvents = (name: string, cursor?: string, signal?: AbortSignal): Promise<EventPage> =>
  ask(api.GET('/api/v1/nodes/{name}/events', { params: { path: { name }, query: { cursor, limit: 50 } }, signal }));
