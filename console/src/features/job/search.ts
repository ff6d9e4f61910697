/** What the address of a job's page holds: the tab and what it shows. */
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const JOB_TABS = ['logs', 'tasks', 'events', 'plots', 'terminal', 'spec'] as const;
export type JobTab = (typeof JOB_TABS)[number];

export const PLOT_WINDOWS = ['15m', '1h', '6h', 'all'] as const;
export type PlotWindow = (typeof PLOT_WINDOWS)[number];

/** Which events are shown. */
export const EVENT_SUBJECTS = ['people', 'states', 'tasks', 'queue'] as const;
export type EventSubject = (typeof EVENT_SUBJECTS)[number];

/** At most so many logs side by side. */
export const MOST_LOGS = 4;

export interface JobSearch {
  tab?: JobTab | undefined;
  task?: string | undefined;
  /** Tasks whose logs stand beside the first. */
  beside?: string[] | undefined;
  attempt?: number | undefined;
  /** What is searched for in the log. */
  find?: string | undefined;
  /** A line of the log: its offset, or that of its batch and its place there. */
  line?: string | undefined;
  times?: 'clock' | 'start' | undefined;
  wrap?: 'on' | undefined;
  window?: PlotWindow | undefined;
  /** One plot for all tasks, or one for each. */
  plots?: 'each' | undefined;
  about?: EventSubject | undefined;
  /** Beside its source, where the job is a copy. */
  compare?: 'on' | undefined;
}

export function jobSearch(raw: Raw): JobSearch {
  const attempt = Number(one(raw.attempt));
  const line = one(raw.line);
  return {
    tab: allowed(raw.tab, JOB_TABS)[0],
    task: one(raw.task),
    beside: several(raw.beside),
    attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : undefined,
    find: one(raw.find),
    line: line && /^\d+(\.\d+)?$/.test(line) ? line : undefined,
    times: allowed(raw.times, ['clock', 'start'] as const)[0],
    wrap: allowed(raw.wrap, ['on'] as const)[0],
    window: allowed(raw.window, PLOT_WINDOWS)[0],
    plots: allowed(raw.plots, ['each'] as const)[0],
    about: allowed(raw.about, EVENT_SUBJECTS)[0],
    compare: allowed(raw.compare, ['on'] as const)[0],
  };
}

function several(value: unknown): string[] | undefined {
  const given = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && item !== '');
  return given.length > 0 ? [...new Set(given)].slice(0, MOST_LOGS - 1) : undefined;
}
