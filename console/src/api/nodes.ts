/** Calls about nodes. */
import { api, ask } from './client';
import type { EventPage, Node } from './types';

export const listNodes = async (signal?: AbortSignal): Promise<Node[]> => {
  const { items } = await ask(api.GET('/api/v1/nodes', { signal }));
  return items;
};

export const getNode = (name: string, signal?: AbortSignal): Promise<Node> =>
  ask(api.GET('/api/v1/nodes/{name}', { params: { path: { name } }, signal }));

export const cordonNode = (name: string, cordoned: boolean): Promise<Node> =>
  ask(api.PATCH('/api/v1/nodes/{name}', { params: { path: { name } }, body: { cordoned } }));

/** What happened on a node, the latest first. */
export const listNodeEvents = (name: string, cursor?: string, signal?: AbortSignal): Promise<EventPage> =>
  ask(api.GET('/api/v1/nodes/{name}/events', { params: { path: { name }, query: { cursor, limit: 50 } }, signal }));
