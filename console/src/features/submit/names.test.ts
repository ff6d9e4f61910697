import { expect, it } from 'vitest';
import { copyName, freeName } from './names';

it('a copy is named after its original, and counted', () => {
  expect(['bert', 'bert-copy', 'bert-copy-2', 'bert-copy-9'].map(copyName)).toEqual([
    'bert-copy',
    'bert-copy-2',
    'bert-copy-3',
    'bert-copy-10',
  ]);
});

it('a copy has a name that is short enough', () => {
  expect(copyName('x'.repeat(63))).toHaveLength(63);
  expect(copyName(`${'x'.repeat(58)}-copy`)).toHaveLength(63);
});

it('a name that is taken is counted on, and stays short enough', () => {
  expect(freeName('bert', new Set())).toBe('bert');
  expect(freeName('bert', new Set(['bert', 'bert-2', 'bert-4']))).toBe('bert-3');
  expect(freeName('x'.repeat(63), new Set(['x'.repeat(63)]))).toBe(`${'x'.repeat(61)}-2`);
});
