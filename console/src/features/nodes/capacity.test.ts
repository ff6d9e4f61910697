import { describe, expect, it } from 'vitest';
import type { Node } from '@/api/types';
import { holders, share, totalsByModel } from './capacity';

function node(part: Partial<Node>): Node {
  return {
    name: 'n1', state: 'ready', virtual: false, address: null, cpus: 8, memory: 0, gpu_model: null, gpus: [], labels: {},
    used: { cpus: 0, memory: 0, gpus: 0 }, tasks: [], pool: 'default', ...part,
  };
}

const gpus = (count: number) => Array.from({ length: count }, (_, index) => ({ index, uuid: null, declared: true }));

describe('capacity', () => {
  it('is summed per model, fractions included', () => {
    const nodes = [
      node({ gpu_model: 'A100', gpus: gpus(8), used: { cpus: 2, memory: 0, gpus: 2.5 } }),
      node({ gpu_model: 'A100', gpus: gpus(8) }),
      node({ gpu_model: 'T4', gpus: gpus(2) }),
    ];
    expect(totalsByModel(nodes)).toEqual([
      { model: 'A100', free: 13.5, total: 16 },
      { model: 'T4', free: 2, total: 2 },
      { model: null, free: 22, total: 24 },
    ]);
  });

  it('of a machine that takes no work is not free', () => {
    const [a100] = totalsByModel([node({ state: 'cordoned', gpu_model: 'A100', gpus: gpus(8) })]);
    expect(a100).toEqual({ model: 'A100', free: 0, total: 8 });
  });

  it('knows who holds a GPU', () => {
    const task = { job_id: 'j', job_name: 'bert', owner: 'lin', task: 'worker-0', gpus: [1, 2], started_at: null };
    const held = holders(node({ gpus: gpus(4), tasks: [task] }));
    expect(held.get(1)).toBe(task);
    expect(held.has(0)).toBe(false);
  });

  it('is a share between none and all', () => {
    expect([share(1, 4), share(9, 4), share(1, 0)]).toEqual([0.25, 1, 0]);
  });
});
