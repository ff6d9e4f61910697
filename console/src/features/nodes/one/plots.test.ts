import { beforeAll, describe, expect, it } from 'vitest';
import type { NodeUsage } from '@/api/usage';
import { translate, withWords } from '@/app/i18n';
import { chartsOf, tasksMeasured } from './plots';

beforeAll(() => withWords('machines', async () => undefined));

const line = (...mean: (number | null)[]) => ({ mean, high: mean });
const usage: NodeUsage = {
  node: 'a100-1',
  times: [1000, 2000],
  measured_every: 1000,
  cpus: line(2, 4),
  memory: line(2 ** 30, 2 ** 31),
  cpus_total: 64,
  memory_total: 2 ** 39,
  network: null,
  gpus: Array.from({ length: 8 }, (_, index) => ({ index, busy: line(50, 100), memory: line(2 ** 33, null) })),
};

describe('the charts of a node', () => {
  it('measure CPUs and memory against what the node has', () => {
    const [cpus, memory] = chartsOf(usage, translate);
    expect(cpus).toMatchObject({ label: 'CPUs', max: 64 });
    expect(memory).toMatchObject({ label: 'Memory', max: 2 ** 39 });
    expect(memory!.format(2 ** 31)).toBe('2 GiB');
  });

  it('have a line for each GPU, told apart by dashes where colours repeat', () => {
    const busy = chartsOf(usage, translate)[2]!;
    expect(busy.max).toBe(100);
    expect(busy.format(50)).toBe('50 %');
    expect(busy.series.map(({ label }) => label)).toContain('GPU 7');
    expect(new Set(busy.series.map(({ colour, dashed }) => `${colour}${dashed}`)).size).toBe(8);
  });

  it('leave out the GPUs where there are none', () => {
    expect(chartsOf({ ...usage, gpus: [] }, translate)).toHaveLength(2);
  });

  it('need something measured', () => {
    const nothing = { ...usage, cpus: line(null), memory: line(), gpus: [] };
    expect(tasksMeasured(usage)).toBe(true);
    expect(tasksMeasured(nothing)).toBe(false);
    expect(chartsOf(nothing, translate)).toEqual([]);
  });

  it('have the network last, with times of its own, and say where it is the whole machine', () => {
    const network = { times: [500, 1500], received: line(2 ** 20, null), sent: line(0, 2 ** 10), shared: false };
    const chart = chartsOf({ ...usage, network }, translate).at(-1)!;
    expect(chart).toMatchObject({ label: 'Network', times: [500, 1500], unit: 'byteRate' });
    expect(chart.series.map(({ label }) => label)).toEqual(['Received', 'Sent']);
    expect(chart.format(2 ** 20)).toBe('1 MiB/s');
    const ofMachine = { ...usage, gpus: [], cpus: line(), memory: line(), network: { ...network, shared: true } };
    expect(chartsOf(ofMachine, translate).map(({ label }) => label)).toEqual(['Network of the machine']);
    expect(chartsOf({ ...usage, network: { ...network, received: line(), sent: line() } }, translate)).toHaveLength(4);
  });
});
