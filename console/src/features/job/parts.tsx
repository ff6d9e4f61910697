/** The parts of a job's page: what each is called and what shows it. A new one is a line here, and its name in `search.ts`. */
import type { ComponentType } from 'react';
import { lazy } from 'react';
import type { JobDetail } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';
import { training, withWords } from '@/app/i18n';
import { LogPanel } from './logs/LogPanel';
import { tabsOf } from './search';
import type { JobSearch, JobTab } from './search';

export interface PartProps {
  job: JobDetail;
  search: JobSearch;
  onChange: (part: Partial<JobSearch>) => void;
  /** Shows another part, of one task. */
  onOpen: (tab: JobTab, task: string) => void;
}

interface Part {
  word: MessageKey;
  Show: ComponentType<PartProps>;
  /** How many it has, worth saying where it is more than one. */
  count?: (job: JobDetail) => number;
  /** Some are worth their room only with some jobs. */
  has?: (job: JobDetail) => boolean;
}

const later = (load: () => Promise<ComponentType<PartProps>>) => lazy(async () => ({ default: await load() }));

const MetricsPanel = later(async () => (await training(() => import('./training/MetricsPanel'))).MetricsPanel);
const FilesPanel = later(async () => (await withWords('data', () => import('./files/FilesPanel'))).FilesPanel);
const OutputsPanel = later(async () => (await training(() => import('./training/OutputsPanel'))).OutputsPanel);
const TaskTable = later(async () => (await training(() => import('./training/TaskTable'))).TaskTable);
const AttemptList = later(async () => (await training(() => import('./training/AttemptList'))).AttemptList);
const RunList = later(async () => (await training(() => import('./training/RunList'))).RunList);
const StacksPanel = later(async () => (await training(() => import('./training/StacksPanel'))).StacksPanel);
const SpecView = later(async () => (await training(() => import('./training/SpecView'))).SpecView);
const EventTimeline = later(async () => (await import('./EventTimeline')).EventTimeline);
const PlotsPanel = later(async () => (await training(() => import('./PlotsPanel'))).PlotsPanel);
const TerminalPanel = later(async () => (await import('./TerminalPanel')).TerminalPanel);

export const PARTS: Record<JobTab, Part> = {
  logs: { word: 'tab.logs', Show: LogPanel },
  metrics: { word: 'tab.metrics', Show: MetricsPanel, has: ({ kind }) => kind === 'training' },
  plots: { word: 'tab.plots', Show: PlotsPanel },
  files: { word: 'tab.files', Show: FilesPanel },
  outputs: { word: 'tab.outputs', Show: OutputsPanel, has: ({ spec }) => Array.isArray(spec.outputs) && spec.outputs.length > 0 },
  tasks: { word: 'tab.tasks', Show: TaskTable, count: ({ tasks }) => tasks.length },
  terminal: { word: 'tab.terminal', Show: TerminalPanel },
  stacks: {
    word: 'tab.stacks',
    Show: StacksPanel,
    has: ({ state, attempts }) => state === 'running' || attempts.some(({ reason }) => reason?.code === 'hung'),
  },
  spec: { word: 'tab.spec', Show: SpecView },
  attempts: { word: 'tab.attempts', Show: AttemptList, count: ({ attempts }) => attempts.length },
  runs: { word: 'tab.runs', Show: RunList },
  events: { word: 'tab.events', Show: EventTimeline },
};

/** What stands in one tab: one part, or several to choose from. */
export interface Tab {
  word: MessageKey;
  parts: JobTab[];
}

/** `shown` is there in any case: an address may lead to what the job has no more. */
export function tabsFor(job: JobDetail, shown: JobTab): Tab[] {
  const tabs = tabsOf(job.kind);
  const all = tabs.some((parts) => parts.includes(shown)) ? tabs : [...tabs, [shown]];
  return all
    .map((parts) => parts.filter((name) => name === shown || (PARTS[name].has?.(job) ?? true)))
    .filter((parts) => parts.length > 0)
    .map((parts) => ({ word: parts[0] === 'spec' ? 'tab.details' : PARTS[parts[0]!].word, parts }));
}
