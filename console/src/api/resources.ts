/** The cluster at a glance. */
import { api, ask } from './client';
import type { Resources } from './types';

export const getResources = (signal?: AbortSignal): Promise<Resources> => ask(api.GET('/api/v1/resources', { signal }));
