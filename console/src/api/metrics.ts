/** Calls about what trainings tell while they run: their metrics, and where their tasks stand. */
import { api, ask } from './client';
import type { Schemas } from './types';

export type JobMetrics = Schemas['JobMetrics'];
export type MetricSeries = Schemas['MetricSeries'];
/** Where one task stood when it was looked at. */
export type TaskStacks = Schemas['TaskStacks'];

export const metricKeys = {
  job: (id: string, query: MetricsQuery) => ['metrics', id, query] as const,
  stacks: (id: string) => ['stacks', id] as const,
};

export interface MetricsQuery {
  /** These metrics; otherwise the first of all. */
  name?: string[];
  /** Of one task only. */
  task?: string;
  /** Of one attempt only; otherwise what all did is joined. */
  attempt?: number;
  points?: number;
  by?: 'step' | 'time';
  /** A line for each task instead of one for all. */
  all_tasks?: boolean;
}

/** As JSON: only who asks for a table gets one. */
export const getMetrics = (job: string, query: MetricsQuery, signal?: AbortSignal): Promise<JobMetrics> =>
  ask(api.GET('/api/v1/jobs/{job}/metrics', { params: { path: { job }, query }, signal })) as Promise<JobMetrics>;

/** Those that were taken before. */
export const getStacks = (job: string, signal?: AbortSignal): Promise<TaskStacks[]> =>
  ask(api.GET('/api/v1/jobs/{job}/stacks', { params: { path: { job } }, signal })).then(({ items }) => items);

/** Looks now; it takes seconds. */
export const takeStacks = (job: string): Promise<TaskStacks[]> =>
  ask(api.POST('/api/v1/jobs/{job}/stacks', { params: { path: { job } } })).then(({ items }) => items);
