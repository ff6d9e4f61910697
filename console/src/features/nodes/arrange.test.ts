import { describe, expect, it } from 'vitest';
import { cards, node, nodeTask } from '@/testing/samples';
import { choices, countStates, filterNodes, groupNodes, sortNodes } from './arrange';

const nodes = [
  node({ name: 'a100-10', pool: 'big' }),
  node({ name: 'a100-2', state: 'cordoned', tasks: [nodeTask({ owner: 'wang', job_name: 'Whisper' })] }),
  node({ name: 't4-1', gpu_model: 'T4', gpus: cards(1), used: { cpus: 60, memory: 0, gpus: 0 }, tasks: [] }),
  node({ name: 'cpu-1', gpu_model: null, gpus: [], tasks: [] }),
];
const names = (some: typeof nodes) => some.map(({ name }) => name);

describe('filters', () => {
  it('find a node by its name, address, labels, people and jobs, whatever the case', () => {
    for (const search of ['A100-2', 'wang', 'whisper', 'WANG zone=east', '127.0.1.1 a100-2']) {
      expect(names(filterNodes(nodes, { search }))).toContain('a100-2');
    }
    expect(filterNodes(nodes, { search: 'wang t4' })).toEqual([]);
  });

  it('narrow by state, pool and model', () => {
    expect(names(filterNodes(nodes, { state: ['cordoned'] }))).toEqual(['a100-2']);
    expect(names(filterNodes(nodes, { pool: 'big' }))).toEqual(['a100-10']);
    expect(names(filterNodes(nodes, { model: 'T4' }))).toEqual(['t4-1']);
  });

  it('narrow by cluster, of which the machine that Danlu runs on is one', () => {
    const both = [...nodes, node({ name: 'n1.lab', cluster: 'lab' })];
    expect(names(filterNodes(both, { cluster: 'lab' }))).toEqual(['n1.lab']);
    expect(filterNodes(both, { cluster: 'local' })).toHaveLength(4);
    expect(groupNodes(both, 'cluster').map(({ key, nodes: members }) => [key, members.length])).toEqual([
      ['lab', 1],
      ['local', 4],
    ]);
  });
});

describe('groups', () => {
  it('by model begin with the most GPUs and end with nodes that have none', () => {
    expect(groupNodes(nodes, 'model').map(({ key, nodes: members }) => [key, names(members)])).toEqual([
      ['A100', ['a100-2', 'a100-10']],
      ['T4', ['t4-1']],
      ['', ['cpu-1']],
    ]);
  });

  it('by pool and by state have their own order', () => {
    expect(groupNodes(nodes, 'pool').map(({ key }) => key)).toEqual(['big', 'default']);
    expect(groupNodes(nodes, 'state').map(({ key }) => key)).toEqual(['ready', 'cordoned']);
  });

  it('say what is free in them', () => {
    expect(groupNodes(nodes, 'model')[0]!.sum).toEqual({ nodes: 2, gpus: 4, free: 1 });
  });
});

describe('the order of the table', () => {
  it('is that of what is free, both ways', () => {
    expect(names(sortNodes(nodes, '-gpus'))[0]).toBe('a100-10');
    // Of a closed node nothing is free.
    expect(names(sortNodes(nodes, 'cpus')).slice(0, 2)).toEqual(['a100-2', 't4-1']);
    expect(names(sortNodes(nodes, 'state')).at(-1)).toBe('a100-2');
  });

  it('counts the numbers in names as numbers', () => {
    expect(names(sortNodes(nodes, 'name'))).toEqual(['a100-2', 'a100-10', 'cpu-1', 't4-1']);
    expect(names(sortNodes(nodes, '-name'))[0]).toBe('t4-1');
  });
});

it('states are counted, and choices are what there is', () => {
  expect(countStates(nodes)).toEqual({ ready: 3, occupied: 0, cordoned: 1, unreachable: 0, off: 0 });
  expect(choices(nodes, (one) => one.gpu_model ?? '')).toEqual(['A100', 'T4']);
});
