/** The lines of the plots, from what was measured. */
import type { JobDetail } from '@/api/jobs';
import type { TaskUsage } from '@/api/usage';
import type { ChartSeries } from '@/ui/chart/LiveChart';
import type { PlotWindow } from './search';

/** In steps: a little more than half, so that a moment measured late leaves no gap. */
const NEAR_ENOUGH = 0.75;
const MOST_BANDS = 2;

export type Quantity = 'cpus' | 'memory' | 'busy' | 'gpuMemory';

export interface Plot {
  quantity: Quantity;
  times: number[];
  series: ChartSeries[];
  /** The top of the scale. */
  max: number | undefined;
}

interface Line {
  mean: (number | null)[];
  high: (number | null)[];
}

/** The plots of one task: a line for each of its GPUs. */
export function taskPlots(usage: TaskUsage, gpuWord: (index: number) => string, limitWord: string): Plot[] {
  const { times, gpus } = usage;
  const plots: Plot[] = [
    {
      quantity: 'cpus',
      times,
      series: [line(usage.task, usage.cpus, 'blue'), limit(limitWord, times, usage.cpus_given)],
      max: usage.cpus_given,
    },
    {
      quantity: 'memory',
      times,
      series: [line(usage.task, usage.memory, 'green'), limit(limitWord, times, usage.memory_given)],
      max: usage.memory_given,
    },
  ];
  // Bands that lie over each other hide the lines.
  const banded = gpus.length <= MOST_BANDS;
  const each = (of: (gpu: TaskUsage['gpus'][number]) => Line): ChartSeries[] =>
    gpus.map((gpu) => (banded ? line(gpuWord(gpu.index), of(gpu)) : { label: gpuWord(gpu.index), values: of(gpu).mean }));
  if (gpus.length > 0) {
    plots.push(
      { quantity: 'busy', times, series: each(({ busy }) => busy), max: 100 },
      { quantity: 'gpuMemory', times, series: each(({ memory }) => memory), max: undefined },
    );
  }
  return plots;
}

/** The plots of all tasks together: a line for each task; of its GPUs the mean, of their memory the sum. */
export function jointPlots(items: TaskUsage[], limitWord: string): Plot[] {
  const { times, step } = sharedTimes(items.map((item) => item.times));
  const joint = (quantity: Quantity, valuesOf: (item: TaskUsage) => (number | null)[], max: number | undefined, given?: number): Plot => ({
    quantity,
    times,
    series: [
      ...items.map((item) => ({ label: item.task, values: spread(times, step, item.times, valuesOf(item)) })),
      ...(given === undefined ? [] : [limit(limitWord, times, given)]),
    ],
    max,
  });
  const cpus = common(items.map((item) => item.cpus_given));
  const memory = common(items.map((item) => item.memory_given));
  const plots = [joint('cpus', (item) => item.cpus.mean, cpus, cpus), joint('memory', (item) => item.memory.mean, memory, memory)];
  if (items.some(({ gpus }) => gpus.length > 0)) {
    plots.push(
      joint(
        'busy',
        ({ gpus }) =>
          combined(
            gpus.map(({ busy }) => busy.mean),
            (sum, count) => sum / count,
          ),
        100,
      ),
      joint(
        'gpuMemory',
        ({ gpus }) =>
          combined(
            gpus.map((gpu) => gpu.memory.mean),
            (sum) => sum,
          ),
        undefined,
      ),
    );
  }
  return plots;
}

/** Whether GPUs were given of which nothing is known. */
export const hasUnmeasuredGpus = (items: TaskUsage[]): boolean =>
  items.some(({ gpus, gpus_given: given }) => given.length > 0 && gpus.every(({ busy }) => busy.mean.every((value) => value === null)));

export const isUnmeasured = (items: TaskUsage[]): boolean =>
  items.every(({ cpus, memory }) => [...cpus.mean, ...memory.mean].every((value) => value === null));

/** How far back to look, as the server reads it; the whole time in full minutes, so that the question changes seldom. */
export function windowOf(choice: PlotWindow, job: Pick<JobDetail, 'started_at' | 'ended_at'>, now: number): string {
  if (choice !== 'all') return choice;
  const from = job.started_at ? Date.parse(job.started_at) : now;
  const to = job.ended_at ? Date.parse(job.ended_at) : now;
  const minutes = Math.max(1, Math.ceil((to - from) / 60_000) + 1);
  return `${Math.min(minutes, 31 * 24 * 60)}m`;
}

const line = (label: string, { mean, high }: Line, tone?: ChartSeries['tone']): ChartSeries => ({
  label,
  values: mean,
  high,
  ...(tone && { tone }),
});

function limit(label: string, times: number[], value: number): ChartSeries {
  return { label, values: times.map(() => value), tone: 'grey', dashed: true };
}

/** The one value that all have. */
function common(values: number[]): number | undefined {
  return values.length > 0 && values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** Each task is measured at moments of its own: an even row of times that suits all. */
export function sharedTimes(all: number[][]): { times: number[]; step: number } {
  const longest = all.reduce((long, times) => (times.length > long.length ? times : long), []);
  const first = Math.min(...all.map((times) => times[0] ?? Number.POSITIVE_INFINITY));
  const last = Math.max(...all.map((times) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  const step = longest.length > 1 ? (longest.at(-1)! - longest[0]!) / (longest.length - 1) : 1;
  if (!Number.isFinite(first) || !Number.isFinite(last)) return { times: [], step };
  return { times: Array.from({ length: Math.round((last - first) / step) + 1 }, (_, index) => Math.round(first + index * step)), step };
}

/** At each time the nearest value, if it is near enough. */
export function spread(times: number[], step: number, own: number[], values: (number | null)[]): (number | null)[] {
  let at = 0;
  return times.map((time) => {
    while (at + 1 < own.length && Math.abs(own[at + 1]! - time) <= Math.abs(own[at]! - time)) at += 1;
    const near = own[at] !== undefined && Math.abs(own[at]! - time) <= step * NEAR_ENOUGH;
    return near ? (values[at] ?? null) : null;
  });
}

function combined(lines: (number | null)[][], of: (sum: number, count: number) => number): (number | null)[] {
  const [first = []] = lines;
  return first.map((_, index) => {
    const values = lines.map((one) => one[index]).filter((value) => value !== null && value !== undefined);
    return values.length === 0
      ? null
      : of(
          values.reduce((sum, value) => sum + value, 0),
          values.length,
        );
  });
}
