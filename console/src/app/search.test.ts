import { describe, expect, it } from 'vitest';
import { allowed, one, parseSearch, stringifySearch } from './search';

describe('addresses', () => {
  it('hold lists as repeated names', () => {
    expect(stringifySearch({ state: ['running', 'queued'], search: 'bert' })).toBe('?state=running&state=queued&search=bert');
    expect(parseSearch('?state=running&state=queued&search=bert')).toEqual({ state: ['running', 'queued'], search: 'bert' });
  });

  it('leave out what is empty', () => {
    expect(stringifySearch({ search: '', kind: undefined, owner: null })).toBe('');
  });

  it('keep a number of digits a text', () => {
    expect(parseSearch('?search=007')).toEqual({ search: '007' });
  });

  it('give the first of several values', () => {
    expect(one(['a', 'b'])).toBe('a');
    expect(one('')).toBeUndefined();
  });

  it('drop values that are not allowed', () => {
    expect(allowed(['running', 'dancing'], ['running', 'failed'])).toEqual(['running']);
  });
});
