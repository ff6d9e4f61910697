import { describe, expect, it } from 'vitest';
import type { TaskUsage } from '@/api/usage';
import { hasUnmeasuredGpus, isUnmeasured, jointPlots, sharedTimes, spread, taskPlots, windowOf } from './plots';

const line = (...mean: (number | null)[]) => ({ mean, high: mean });

function usage(part: Partial<TaskUsage> = {}): TaskUsage {
  return {
    task: 'worker-0',
    node: 'a100-1',
    attempt: 1,
    times: [0, 5000, 10_000],
    cpus: line(1, 2, 3),
    memory: line(10, 20, 30),
    gpus: [
      { index: 4, busy: line(50, 60, 70), memory: line(1, 2, 3) },
      { index: 5, busy: line(30, null, 50), memory: line(1, 2, 3) },
    ],
    cpus_given: 4,
    memory_given: 100,
    gpus_given: [4, 5],
    ...part,
  };
}

const gpu = (index: number) => `GPU ${index}`;

describe('the plots of one task', () => {
  it('set what it used against what it was given', () => {
    const [cpus] = taskPlots(usage(), gpu, 'allocated');
    expect(cpus).toMatchObject({
      quantity: 'cpus',
      max: 4,
      series: [{ values: [1, 2, 3] }, { label: 'allocated', values: [4, 4, 4], dashed: true }],
    });
  });

  it('draw a line for each of its GPUs, up to a hundred percent', () => {
    const busy = taskPlots(usage(), gpu, 'allocated')[2]!;
    expect(busy.max).toBe(100);
    expect(busy.series.map(({ label }) => label)).toEqual(['GPU 4', 'GPU 5']);
  });

  it('are only two without measured GPUs', () => {
    expect(taskPlots(usage({ gpus: [] }), gpu, 'allocated').map(({ quantity }) => quantity)).toEqual(['cpus', 'memory']);
  });
});

describe('the plots of all tasks', () => {
  it('draw a line for each task, and of its GPUs the mean and the sum', () => {
    const [cpus, , busy, memory] = jointPlots([usage(), usage({ task: 'worker-1', gpus: [] })], 'allocated');
    expect(cpus!.series.map(({ label }) => label)).toEqual(['worker-0', 'worker-1', 'allocated']);
    expect(busy!.series[0]!.values).toEqual([40, 60, 60]);
    expect(memory!.series[0]!.values).toEqual([2, 4, 6]);
  });

  it('show no limit where the tasks have different ones', () => {
    const [cpus] = jointPlots([usage(), usage({ task: 'ps-0', cpus_given: 1 })], 'allocated');
    expect(cpus!.series).toHaveLength(2);
    expect(cpus!.max).toBeUndefined();
  });

  it('bring moments that differ a little together, without gaps', () => {
    const early = usage({ times: [0, 5000, 10_000], cpus: line(1, 2, 3) });
    const late = usage({ task: 'worker-1', times: [2300, 7400, 12_300], cpus: line(4, 5, 6) });
    const { times, step } = sharedTimes([early.times, late.times]);
    expect(times).toEqual([0, 5000, 10_000]);
    expect(spread(times, step, late.times, late.cpus.mean)).toEqual([4, 5, 6]);
  });

  it('leave a gap where a task was not there', () => {
    const { times, step } = sharedTimes([[0, 1000, 2000, 3000], [3000]]);
    expect(spread(times, step, [3000], [7])).toEqual([null, null, null, 7]);
  });

  it('are empty without measurements', () => {
    expect(sharedTimes([[], []]).times).toEqual([]);
  });
});

describe('what was not measured', () => {
  it('is told: GPUs that were given and are silent', () => {
    expect(hasUnmeasuredGpus([usage()])).toBe(false);
    expect(hasUnmeasuredGpus([usage({ gpus: [] })])).toBe(true);
    expect(hasUnmeasuredGpus([usage({ gpus: [], gpus_given: [] })])).toBe(false);
  });

  it('is told: everything', () => {
    expect(isUnmeasured([usage({ cpus: line(null), memory: line(null) })])).toBe(true);
    expect(isUnmeasured([usage()])).toBe(false);
  });
});

describe('the time shown', () => {
  it('is the choice, or all since the start in full minutes', () => {
    const job = { started_at: '2026-05-01T10:00:00Z', ended_at: '2026-05-01T10:10:30Z' };
    expect(windowOf('6h', job, 0)).toBe('6h');
    expect(windowOf('all', job, 0)).toBe('12m');
    expect(windowOf('all', { ...job, ended_at: null }, Date.parse('2026-07-01T00:00:00Z'))).toBe(`${31 * 24 * 60}m`);
  });
});
