/** What the address of a comparison holds: the jobs, and how their metrics are drawn. */
import { allowed } from '@/app/search';
import { MOST_COMPARED } from '@/parts/jobs/compared';

export interface CompareSearch {
  /** Ids or names. */
  job?: string[] | undefined;
  scale?: 'log' | undefined;
  /** In hundredths. */
  smooth?: number | undefined;
}

export function compareSearch(raw: Record<string, unknown>): CompareSearch {
  const jobs = (Array.isArray(raw.job) ? raw.job : [raw.job]).filter((item): item is string => typeof item === 'string' && item !== '');
  const smooth = Number(raw.smooth);
  return {
    job: jobs.length > 0 ? [...new Set(jobs)].slice(0, MOST_COMPARED) : undefined,
    scale: allowed(raw.scale, ['log'] as const)[0],
    smooth: Number.isInteger(smooth) && smooth > 0 && smooth < 100 ? smooth : undefined,
  };
}
