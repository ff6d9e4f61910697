/** Calls about measured use: the numbers behind the plots. */
import { api, ask } from './client';
import type { JobUsage, NodeUsage } from './types';

export interface UsageQuery {
  /** Such as 15m, 1h, 1d. */
  window: string;
  points?: number;
}

export const getJobUsage = (
  job: string,
  query: UsageQuery & { task?: string; attempt?: number },
  signal?: AbortSignal,
): Promise<JobUsage> => ask(api.GET('/api/v1/jobs/{job}/usage', { params: { path: { job }, query }, signal }));

export const getNodeUsage = (name: string, query: UsageQuery, signal?: AbortSignal): Promise<NodeUsage> =>
  ask(api.GET('/api/v1/nodes/{name}/usage', { params: { path: { name }, query }, signal }));
