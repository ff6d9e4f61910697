import { describe, expect, it } from 'vitest';
import type { Node } from '@/api/nodes';
import type { Flavor } from '@/api/rules/flavors';
import { altogether, gpuModels, gpuSteps, largest, roomFor, sizeAt, suiting } from './bounds';

const GIB = 2 ** 30;

function machine(part: Partial<Node> & { cards?: number }): Node {
  const { cards = 0, ...rest } = part;
  return {
    name: 'a',
    state: 'ready',
    virtual: false,
    address: null,
    cpus: 64,
    memory: 512 * GIB,
    gpu_model: cards > 0 ? 'A100' : null,
    gpus: Array.from({ length: cards }, (_, index) => ({ index, uuid: null, declared: true })),
    labels: {},
    given_labels: {},
    used: { cpus: 0, memory: 0, gpus: 0 },
    tasks: [],
    pool: 'default',
    cluster: '',
    foreign: { cpus: 0, memory: 0, gpus: 0 },
    free: { cpus: 64, memory: 512 * GIB, gpus: cards },
    why: '',
    note: '',
    drain_by: null,
    closes_at: null,
    maintenance: null,
    isolation: null,
    network: null,
    ...rest,
  };
}

const NODES = [
  machine({ cards: 8, used: { cpus: 0, memory: 0, gpus: 6.5 }, labels: { rack: 'r1' } }),
  machine({ cards: 8, state: 'cordoned' }),
  machine({ cards: 4, gpu_model: 'H100', cpus: 32, memory: 256 * GIB }),
  machine({ cpus: 128 }),
];
const size = (part: Partial<ReturnType<typeof sizeAt>> = {}) => ({ gpus: 0, models: [], cpus: 1, memory: GIB, ...part });

describe('what the machines can hold', () => {
  it('leaves out machines that are off or lack a label', () => {
    expect(suiting([...NODES, machine({ state: 'off' })], [])).toHaveLength(4);
    expect(suiting(NODES, [['rack', 'r1']])).toHaveLength(1);
    expect(suiting(NODES, [['rack', 'r2']])).toHaveLength(0);
  });

  it('counts GPUs by model; only ready machines have free ones', () => {
    expect(gpuModels(NODES)).toEqual([
      { name: 'A100', total: 16, free: 1.5, most: 8 },
      { name: 'H100', total: 4, free: 4, most: 4 },
    ]);
  });

  it('knows the largest machine, also of one model', () => {
    expect(largest(NODES, [])).toEqual({ gpus: 8, cpus: 128, memory: 512 * GIB });
    expect(largest(NODES, ['H100'])).toEqual({ gpus: 4, cpus: 32, memory: 256 * GIB });
    expect(largest(NODES, ['h100'])).toEqual(largest(NODES, ['H100']));
    expect(largest(NODES, ['V100'])).toEqual({ gpus: 0, cpus: 0, memory: 0 });
  });

  it('adds up what there is', () => {
    expect(altogether(NODES, ['A100', 'H100']).gpus).toBe(20);
  });

  it('says how many tasks of a size fit', () => {
    expect(roomFor(NODES, size({ gpus: 8, models: ['A100'] }))).toBe(2);
    expect(roomFor(NODES, size({ gpus: 4 }))).toBe(5);
    expect(roomFor(NODES, size({ gpus: 0.5, models: ['H100'] }))).toBe(8);
    expect(roomFor(NODES, size({ gpus: 0.3, models: ['H100'] }))).toBe(12);
    expect(roomFor(NODES, size({ cpus: 64 }))).toBe(4);
    expect(roomFor(NODES, size({ gpus: 9 }))).toBe(0);
  });

  it('offers round numbers of GPUs, up to the most', () => {
    expect(gpuSteps(8)).toEqual([0, 1, 2, 4, 8]);
    expect(gpuSteps(6)).toEqual([0, 1, 2, 4, 6]);
    expect(gpuSteps(0)).toEqual([0]);
  });
});

describe('the size a file asks for', () => {
  const flavor: Flavor = {
    name: 'big',
    classes: [],
    description: '',
    resources: { cpus: 32, memory: '256GiB', gpus: 4, gpu: 'A100|H100', shm: '0B', rdma: false },
  };

  it('is by numbers, with the job file’s defaults', () => {
    expect(sizeAt({ resources: { gpus: 0.5, memory: '8GiB' } }, [])).toEqual({ gpus: 0.5, models: [], cpus: 1, memory: 8 * GIB });
    expect(sizeAt({}, [])).toEqual({ gpus: 0, models: [], cpus: 1, memory: 2 * GIB });
  });

  it('is by flavor', () => {
    expect(sizeAt({ flavor: 'big' }, [flavor])).toEqual({ gpus: 4, models: ['A100', 'H100'], cpus: 32, memory: 256 * GIB });
  });

  it('is nothing dangerous where the file is nonsense', () => {
    expect(sizeAt({ resources: { gpus: 'many', cpus: [], memory: 'x' } }, [])).toMatchObject({ gpus: 0, memory: 2 * GIB });
    expect(sizeAt('x', [])).toMatchObject({ cpus: 1 });
  });
});
