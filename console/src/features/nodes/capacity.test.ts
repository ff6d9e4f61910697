import { describe, expect, it } from 'vitest';
import { cards, node, nodeTask } from '@/testing/samples';
import { cardsOf, isShared, ownersOf, share, sumUp } from './capacity';

const used = (gpus: number) => ({ cpus: 0, memory: 0, gpus });

describe('capacity', () => {
  it('is summed over nodes, fractions included', () => {
    expect(sumUp([node({ gpus: cards(8), used: used(2.5) }), node({ gpus: cards(8), used: used(0) })])).toEqual({
      nodes: 2,
      gpus: 16,
      free: 13.5,
    });
  });

  it('of a machine that takes no work is there but not free; of one that is off, not there', () => {
    for (const state of ['cordoned', 'unreachable'] as const) expect(sumUp([node({ state })])).toMatchObject({ gpus: 2, free: 0 });
    expect(sumUp([node({ state: 'off' })])).toMatchObject({ gpus: 0, free: 0 });
  });

  it('is a share between none and all', () => {
    expect([share(1, 4), share(9, 4), share(1, 0)]).toEqual([0.25, 1, 0]);
  });
});

describe('the GPUs of a node', () => {
  it('know who holds them', () => {
    const task = nodeTask({ gpus: [1, 2] });
    const found = cardsOf(node({ gpus: cards(4), tasks: [task], used: used(2) }));
    expect(found.map((card) => card.holders)).toEqual([[], [task], [task], []]);
    expect(found.map((card) => card.used)).toEqual([0, 1, 1, 0]);
  });

  it('that others than Danlu hold are the last of those that nobody of us has', () => {
    const held = node({ gpus: cards(4), tasks: [nodeTask({ gpus: [3] })], used: used(1), foreign: used(2) });
    expect(cardsOf(held).map((card) => card.others)).toEqual([false, true, true, false]);
    expect(cardsOf(node({ gpus: cards(2), tasks: [], foreign: used(5) })).map((card) => card.others)).toEqual([true, true]);
    expect(held.free.gpus).toBe(1);
  });

  it('that is held in part says how much', () => {
    const found = cardsOf(node({ gpus: cards(4), used: used(2.5), tasks: [nodeTask({ gpus: [0, 1] }), nodeTask({ gpus: [2] })] }));
    expect(found.map((card) => card.used)).toEqual([1, 1, 0.5, 0]);
    expect(found.map(isShared)).toEqual([false, false, true, false]);
  });

  it('do not guess which of several is held in part', () => {
    const found = cardsOf(node({ gpus: cards(2), used: used(1.5), tasks: [nodeTask({ gpus: [0] }), nodeTask({ gpus: [1] })] }));
    expect(found.map((card) => card.used)).toEqual([null, null]);
    expect(found.some(isShared)).toBe(false);
  });

  it('may have several holders', () => {
    const [card] = cardsOf(
      node({ gpus: cards(1), used: used(1), tasks: [nodeTask({ gpus: [0] }), nodeTask({ gpus: [0], owner: 'wang' })] }),
    );
    expect(card!.holders.map((task) => task.owner)).toEqual(['lin', 'wang']);
    expect(isShared(card!)).toBe(true);
  });

  it('are counted by owner, most first', () => {
    const tasks = [nodeTask({ gpus: [0] }), nodeTask({ owner: 'wang', gpus: [1, 2] }), nodeTask({ owner: 'sara', gpus: [] })];
    expect(ownersOf([node({ tasks })])).toEqual([
      ['wang', 2],
      ['lin', 1],
    ]);
  });
});
