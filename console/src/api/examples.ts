/** Calls about the examples that came with the server. */
import { api, ask } from './client';
import type { ServedExample } from './types';

export const listExamples = async (signal?: AbortSignal): Promise<ServedExample[]> => {
  const { items } = await ask(api.GET('/api/v1/examples', { signal }));
  return items;
};
