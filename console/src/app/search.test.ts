import { describe, expect, it } from 'vitest';
import { isFiltered, jobsSearch, toQuery } from '@/features/jobs/search';
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

describe('job filters in the address', () => {
  it('survive a round trip', () => {
    const search = jobsSearch({ state: ['failed'], kind: 'training', owner: 'me', search: 'x', sort: 'name', limit: '100', cursor: 'abc' });
    expect(jobsSearch(parseSearch(stringifySearch(search as Record<string, unknown>)))).toEqual(search);
  });

  it('ignore nonsense', () => {
    expect(isFiltered(jobsSearch({ state: 'dancing', kind: 'x', limit: '7', sort: 'size' }))).toBe(false);
  });

  it('ask for the newest fifty by default', () => {
    expect(toQuery({})).toMatchObject({ limit: 50, sort: '-created' });
  });
});
