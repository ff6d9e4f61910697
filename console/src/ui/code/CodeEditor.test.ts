import { expect, it } from 'vitest';
import { difference } from './CodeEditor';

it.each([
  ['name: bert\n', 'name: gpt\n'],
  ['a\nb\n', 'a\nb\nb\n'],
  ['aaa', 'aa'],
  ['', 'x'],
  ['x', ''],
])('the difference of %j and %j, applied, gives the second', (before, after) => {
  const { from, to, insert } = difference(before, after)!;
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
});

it('equal texts have none, and others the shortest', () => {
  expect(difference('a: 1\nb: 2\n', 'a: 1\nb: 2\n')).toBeNull();
  expect(difference('a: 1\nb: 2\n', 'a: 1\nb: 22\n')).toEqual({ from: 9, to: 9, insert: '2' });
});
