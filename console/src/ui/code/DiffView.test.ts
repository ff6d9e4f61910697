import { describe, expect, it } from 'vitest';
import { changedLines } from './DiffView-lines';

const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('');
const shape = (parts: ReturnType<typeof changedLines>) => parts.map(({ kind, lines: of }) => [kind, of.length]);

describe('a comparison', () => {
  it('keeps a few lines around a change and folds the rest', () => {
    const parts = changedLines([
      { value: lines(20) },
      { value: 'old\n', removed: true },
      { value: 'new\nnewer\n', added: true },
      { value: lines(20) },
    ]);
    expect(shape(parts)).toEqual([
      ['folded', 17],
      ['same', 3],
      ['removed', 1],
      ['added', 2],
      ['same', 3],
      ['folded', 17],
    ]);
  });

  it('folds between two changes only what is worth it', () => {
    const change = { value: 'x\n', added: true };
    expect(shape(changedLines([change, { value: lines(7) }, change]))).toEqual([
      ['added', 1],
      ['same', 7],
      ['added', 1],
    ]);
    expect(shape(changedLines([change, { value: lines(8) }, change]))).toEqual([
      ['added', 1],
      ['same', 3],
      ['folded', 2],
      ['same', 3],
      ['added', 1],
    ]);
  });

  it('gives each part a place of its own', () => {
    const parts = changedLines([{ value: 'a\n', removed: true }, { value: 'b\n', added: true }, { value: 'c\n' }]);
    expect(parts.map(({ at }) => at)).toEqual([0, 1, 2]);
  });
});
