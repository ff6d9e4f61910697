/** Calls about nodes. */
import { api, ask } from './client';
import type { Node } from './types';

export const listNodes = async (signal?: AbortSignal): Promise<Node[]> => {
  const { items } = await ask(api.GET('/api/v1/nodes', { signal }));
  return items;
};
