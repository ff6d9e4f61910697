import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '@/app/search';
import { isFiltered, jobsSearch, toQuery } from './search';

describe('job filters in the address', () => {
  it('survive a round trip', () => {
    const search = jobsSearch({
      state: ['failed'],
      kind: 'training',
      owner: 'me',
      project: 'nlp',
      search: 'x',
      sort: '-ended',
      view: 'my nights',
    });
    expect(jobsSearch(parseSearch(stringifySearch(search as Record<string, unknown>)))).toEqual(search);
  });

  it('ignore nonsense', () => {
    expect(isFiltered(jobsSearch({ state: 'dancing', kind: 'x', sort: 'size' }))).toBe(false);
  });

  it('ask for the newest first by default', () => {
    expect(toQuery({})).toEqual({ sort: '-created' });
  });

  it('ask for the same, whatever the open view is called', () => {
    expect(toQuery({ owner: 'me', view: 'a' })).toEqual(toQuery({ owner: 'me', view: 'b', sort: '-created' }));
  });
});
