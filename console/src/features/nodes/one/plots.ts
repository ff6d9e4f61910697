/** From measurements to the charts of a node. */
import type { NodeUsage } from '@/api/usage';
import type { Translate } from '@/app/i18n';
import { formatBytes, trim } from '@/ui/words/format';
import type { ChartProps, ChartSeries } from '@/ui/chart/LiveChart';
import { SERIES } from '@/ui/theme/palette';

type Network = NonNullable<NodeUsage['network']>;

/** What tasks used, where that was measured, and what the network carried. */
export function chartsOf(usage: NodeUsage, t: Translate): ChartProps[] {
  return [...(tasksMeasured(usage) ? taskCharts(usage, t) : []), ...(networkMeasured(usage) ? [networkChart(usage.network!, t)] : [])];
}

/** A virtual node has no network of its own: the chart is of the machine, and says so. */
function networkChart({ times, received, sent, shared }: Network, t: Translate): ChartProps {
  return {
    label: t(shared ? 'nodes.networkOfMachine' : 'nodes.network'),
    times,
    series: [
      { label: t('nodes.received'), values: received.mean, high: received.high, tone: 'blue' },
      { label: t('nodes.sent'), values: sent.mean, high: sent.high, tone: 'green' },
    ],
    format: (value) => `${formatBytes(value)}/s`,
    unit: 'byteRate',
  };
}

/** CPUs and memory against what the node has; a line for each GPU, dashed once the colours repeat. */
function taskCharts(usage: NodeUsage, t: Translate): ChartProps[] {
  const { times, cpus, memory, gpus, cpus_total: cpusTotal, memory_total: memoryTotal } = usage;
  const charts: ChartProps[] = [
    {
      label: t('nodes.cpus'),
      times,
      series: [{ label: t('nodes.inUse'), values: cpus.mean, high: cpus.high, tone: 'blue' }],
      format: trim,
      max: cpusTotal,
    },
    {
      label: t('nodes.memory'),
      times,
      series: [{ label: t('nodes.inUse'), values: memory.mean, high: memory.high, tone: 'green' }],
      format: formatBytes,
      unit: 'bytes',
      max: memoryTotal,
    },
  ];
  if (gpus.length === 0) return charts;
  return [
    ...charts,
    {
      label: t('nodes.gpuBusy'),
      times,
      series: gpus.map(({ index, busy }, at) => lineOf(index, at, busy, t)),
      format: (value) => `${trim(value)} %`,
      unit: 'percent',
      max: 100,
    },
    {
      label: t('nodes.gpuMemory'),
      times,
      series: gpus.map(({ index, memory: held }, at) => lineOf(index, at, held, t)),
      format: formatBytes,
      unit: 'bytes',
    },
  ];
}

function lineOf(index: number, at: number, line: NodeUsage['cpus'], t: Translate): ChartSeries {
  return {
    label: t('nodes.gpuNumbers', { numbers: index }),
    values: line.mean,
    colour: at,
    dashed: at >= SERIES,
  };
}

export const tasksMeasured = ({ cpus, memory, gpus }: NodeUsage): boolean =>
  anything([cpus, memory, ...gpus.flatMap((gpu) => [gpu.busy, gpu.memory])]);

const networkMeasured = ({ network }: NodeUsage): boolean => network !== null && anything([network.received, network.sent]);

const anything = (lines: NodeUsage['cpus'][]): boolean => lines.some((line) => line.mean.some((value) => value !== null));
