/** What the address of a job's page holds: the tab and what it shows. */
import type { JobKind } from '@/api/jobs';
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const JOB_TABS = [
  'logs',
  'metrics',
  'plots',
  'files',
  'outputs',
  'tasks',
  'terminal',
  'stacks',
  'spec',
  'attempts',
  'runs',
  'events',
] as const;
export type JobTab = (typeof JOB_TABS)[number];

/** The tabs, at most six; parts that share one stand behind its first. */
export function tabsOf(kind: JobKind): JobTab[][] {
  const trains = kind === 'training';
  return [
    ['logs'],
    [trains ? 'metrics' : 'terminal'],
    ['plots'],
    ['files', 'outputs'],
    trains ? ['tasks', 'terminal', 'stacks'] : ['tasks', 'stacks'],
    ['spec', 'attempts', 'runs', 'events'],
  ];
}

export const PLOT_WINDOWS = ['15m', '1h', '6h', 'all'] as const;
export type PlotWindow = (typeof PLOT_WINDOWS)[number];

/** Which events are shown. */
export const EVENT_SUBJECTS = ['people', 'states', 'tasks', 'queue'] as const;
export type EventSubject = (typeof EVENT_SUBJECTS)[number];

/** At most so many logs side by side. */
export const MOST_LOGS = 4;
/** So many metrics may be asked for at once. */
export const MOST_METRICS = 64;

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
  /** Metrics that are shown; otherwise all. */
  metric?: string[] | undefined;
  /** Metrics that are related, or all, in one chart. */
  charts?: 'related' | 'one' | undefined;
  /** Metrics of every task; otherwise of the first that told. */
  tasks?: 'all' | undefined;
  axis?: 'time' | undefined;
  scale?: 'log' | undefined;
  /** How smooth the metrics are drawn, in hundredths. */
  smooth?: number | undefined;
  about?: EventSubject | undefined;
  /** Beside its source, where the job is a copy. */
  compare?: 'on' | undefined;
}

export function jobSearch(raw: Raw): JobSearch {
  const line = one(raw.line);
  const smooth = count(raw.smooth);
  return {
    tab: allowed(raw.tab, JOB_TABS)[0],
    task: one(raw.task),
    beside: several(raw.beside, MOST_LOGS - 1),
    attempt: count(raw.attempt),
    find: one(raw.find),
    line: line && /^\d+(\.\d+)?$/.test(line) ? line : undefined,
    times: allowed(raw.times, ['clock', 'start'] as const)[0],
    wrap: allowed(raw.wrap, ['on'] as const)[0],
    window: allowed(raw.window, PLOT_WINDOWS)[0],
    plots: allowed(raw.plots, ['each'] as const)[0],
    metric: several(raw.metric, MOST_METRICS),
    charts: allowed(raw.charts, ['related', 'one'] as const)[0],
    tasks: allowed(raw.tasks, ['all'] as const)[0],
    axis: allowed(raw.axis, ['time'] as const)[0],
    scale: allowed(raw.scale, ['log'] as const)[0],
    smooth: smooth !== undefined && smooth < 100 ? smooth : undefined,
    about: allowed(raw.about, EVENT_SUBJECTS)[0],
    compare: allowed(raw.compare, ['on'] as const)[0],
  };
}

function several(value: unknown, most: number): string[] | undefined {
  const given = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && item !== '');
  return given.length > 0 ? [...new Set(given)].slice(0, most) : undefined;
}

/** A whole number above zero: as it stands in the address, or as it was read from there. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(one(value));
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
