import { describe, expect, it } from 'vitest';
import { replaceWord } from './replace';

describe('a word of a pasted list', () => {
  it('is replaced where it stands alone', () => {
    expect(replaceWord('olag, olagx; olag\n"olag"', 'olag', 'olga')).toBe('olga, olagx; olga\n"olga"');
  });

  it('may hold what patterns are made of', () => {
    expect(replaceWord('a.b+c axb+c', 'a.b+c', 'abc')).toBe('abc axb+c');
    expect(replaceWord('x', 'x', '$&')).toBe('$&');
  });
});
