/** From measurements to the charts of a node. */
import type { NodeUsage } from '@/api/usage';
import type { Translate } from '@/app/i18n';
import { formatBytes, trim } from '@/ui/words/format';
import type { ChartProps, ChartSeries } from '@/ui/chart/LiveChart';
import { SERIES } from '@/ui/theme/palette';

/** CPUs and memory against what the node has; a line for each GPU, dashed once the colours repeat. */
export function chartsOf(usage: NodeUsage, t: Translate): ChartProps[] {
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

export function wasMeasured({ cpus, memory, gpus }: NodeUsage): boolean {
  const lines = [cpus, memory, ...gpus.flatMap((gpu) => [gpu.busy, gpu.memory])];
  return lines.some((line) => line.mean.some((value) => value !== null));
}
