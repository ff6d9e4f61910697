/** Calls about how the machines were used over days and weeks. */
import { api, apiUrl, ask } from './client';
import type { JobClass } from './rules/flavors';
import type { Schemas } from './types';

export type Trends = Schemas['Trend'];
export type TrendLine = Schemas['TrendLine'];

export const trendKeys = {
  of: (query: TrendQuery) => ['trends', query] as const,
};

export interface TrendQuery {
  /** A moment, or how long ago: `-7d`. */
  since: string;
  step: 'hour' | 'day' | 'week';
  by: 'project' | 'user' | 'class' | 'model';
  project?: string | undefined;
  user?: string | undefined;
  model?: string | undefined;
  class?: JobClass | undefined;
}

export const getTrends = async (query: TrendQuery, signal?: AbortSignal): Promise<Trends> =>
  // The same path also gives a table, to those who ask for one.
  (await ask(api.GET('/api/v1/trends', { params: { query }, signal }))) as Trends;

/** Where the same comes as a table for spreadsheets. */
export const trendsCsv = (query: TrendQuery): string => apiUrl('trends', { ...query, format: 'csv' });
