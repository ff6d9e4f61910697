import { describe, expect, it } from 'vitest';
import { translate as t } from '@/app/i18n';
import { detail, row, task } from '@/testing/samples';
import { dividedSize, sizeOf } from './size';

const tasks = (...cards: number[]) =>
  cards.map((count, index) => task({ name: `worker-${index}`, index, gpus: Array.from({ length: count }, (_, card) => card) }));

describe('the size of a job', () => {
  it.each([
    [{ gpus: 16, nodes: 2 }, '2 × 8 A100'],
    [{ gpus: 1, nodes: 1, gpu_model: null }, '1 GPU'],
    [{ gpus: 0.5, nodes: 1 }, '0.5 A100'],
    [{ gpus: 5, nodes: 3 }, '5 A100'],
    [{ gpus: 16, nodes: 0 }, '16 A100 in total'],
    [{ gpus: 0, cpus: 2, memory: 2 ** 32, nodes: 1 }, '2 CPU · 4 GiB'],
  ])('%j is %s', (part, words) => {
    expect(sizeOf(row(part), t)).toBe(words);
  });

  it('of a total that runs says how it was divided', () => {
    expect(dividedSize(detail({ gpus: 16, nodes: 0, tasks: tasks(4, 4, 4, 4) }), t)).toBe('16 A100 as 4 × 4');
    expect(dividedSize(detail({ gpus: 16, nodes: 0, tasks: tasks(4, 8, 4) }), t)).toBe('16 A100 as 1 × 8 + 2 × 4');
  });

  it('of a total that one machine holds is that', () => {
    expect(dividedSize(detail({ gpus: 8, nodes: 0, tasks: tasks(8) }), t)).toBe('8 A100');
  });

  it('of a total that waits again is not that of the last attempt', () => {
    expect(dividedSize(detail({ gpus: 16, nodes: 0, state: 'queued', tasks: tasks(8, 8) }), t)).toBe('16 A100 in total');
  });
});
