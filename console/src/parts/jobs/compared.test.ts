import { expect, it } from 'vitest';
import { parametersOf } from './compared';

it('parameters that differ come first, then those that are the same; the name is none', () => {
  const jobs = [
    { spec: { name: 'a', command: ['python', 'train.py'], env: { LR: '0.1', SEED: '1' }, resources: { gpus: 1 } } },
    { spec: { name: 'b', command: ['python', 'train.py'], env: { LR: '0.3' }, resources: { gpus: 1 }, nodes: 2 } },
  ];
  expect(parametersOf(jobs)).toEqual([
    { name: 'env.LR', values: ['0.1', '0.3'], differs: true },
    { name: 'env.SEED', values: ['1', undefined], differs: true },
    { name: 'nodes', values: [undefined, '2'], differs: true },
    { name: 'command', values: ['python train.py', 'python train.py'], differs: false },
    { name: 'resources.gpus', values: ['1', '1'], differs: false },
  ]);
});
