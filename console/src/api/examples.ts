/** Calls about the examples that came with the server. */
import { api, askItems } from './client';
import type { Schemas } from './types';

/** A job to begin with, of the server's. */
export type ServedExample = Schemas['Example'];

export const exampleKeys = {
  all: ['examples'] as const,
};

export const listExamples = (signal?: AbortSignal): Promise<ServedExample[]> => askItems(api.GET('/api/v1/examples', { signal }));
