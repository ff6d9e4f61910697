/** Calls about measured use: the numbers behind the plots. */
import { api, ask } from './client';
import type { Schemas } from './types';

export type TaskUsage = Schemas['TaskUsage'];
export type JobUsage = Schemas['JobUsage'];
export type NodeUsage = Schemas['NodeUsage'];
/** What both have: lines over time. */
export type Usage = Pick<NodeUsage, 'times' | 'cpus' | 'memory' | 'gpus'>;

export const usageKeys = {
  job: (id: string, query: UsageQuery & { task?: string; attempt?: number }) => ['usage', 'job', id, query] as const,
  node: (name: string, query: UsageQuery) => ['usage', 'node', name, query] as const,
};

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
