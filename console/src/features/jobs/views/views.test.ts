import { describe, expect, it } from 'vitest';
import { fitting, readColumns } from './column-choice';
import { BUILT_IN, openView, ownViews, queryOf, readView, sameSearch, withView } from './views';

const nights = { page: 'jobs', name: 'nights', query: 'state=failed&sort=-ended&columns=name%2Cended' };

describe('a view', () => {
  it('keeps filters, order and columns', () => {
    const query = queryOf({ state: ['failed', 'stopped'], owner: 'wang', sort: 'name', view: 'old' }, ['name', 'image']);
    expect(readView({ page: 'jobs', name: 'x', query })).toEqual({
      search: expect.objectContaining({ state: ['failed', 'stopped'], owner: 'wang', sort: 'name', view: undefined }),
      columns: ['name', 'image'],
    });
  });

  it('keeps no columns where the person chose none', () => {
    expect(queryOf({ owner: 'me' }, null)).toBe('owner=me');
  });

  it('is open while the address names it, and says when it was changed', () => {
    const kept = readView(nights);
    expect(openView([nights], { ...kept.search, view: 'nights' }, kept.columns)).toEqual({ view: nights, changed: false });
    expect(openView([nights], { ...kept.search, search: 'bert', view: 'nights' }, kept.columns)?.changed).toBe(true);
    expect(openView([nights], { ...kept.search, view: 'nights' }, null)?.changed).toBe(true);
    expect(openView([nights], kept.search, kept.columns)).toBeNull();
  });

  it('of another page is not ours', () => {
    expect(ownViews([nights, { ...nights, page: 'queue' }])).toEqual([nights]);
  });

  it('takes the place of the one it is saved over', () => {
    const other = { page: 'queue', name: 'nights', query: '' };
    const renamed = { ...nights, name: 'days' };
    expect(withView([nights, other], 'nights', renamed)).toEqual([renamed, other]);
    expect(withView([other], 'nights', nights)).toEqual([other, nights]);
    expect(withView([nights, other], 'nights', null)).toEqual([other]);
  });

  it('built in is told apart from every other', () => {
    for (const view of BUILT_IN) expect(BUILT_IN.filter((other) => sameSearch(other.search, view.search))).toEqual([view]);
  });
});

describe('columns', () => {
  it('are read in our order, always with the name', () => {
    expect(readColumns('image,state')).toEqual(['name', 'state', 'image']);
    expect(readColumns('nonsense')).toBeNull();
    expect(readColumns(null)).toBeNull();
  });

  it('are fewer in narrow windows', () => {
    const widths = [400, 768, 1100, 1280, 1440, 1920].map((width) => fitting(width).length);
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(fitting(1280)).toContain('metric');
  });
});
