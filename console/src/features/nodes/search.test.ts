import { expect, it } from 'vitest';
import { isFiltered, nodeSearch, nodesSearch } from './search';

it('the address keeps what makes sense and drops the rest', () => {
  expect(nodesSearch({ search: 'a', state: ['ready', 'odd'], group: 'pool', view: 'table', colour: 'x', sort: '-gpus' })).toMatchObject({
    search: 'a',
    state: ['ready'],
    group: 'pool',
    view: 'table',
    colour: undefined,
    sort: '-gpus',
  });
  expect(nodeSearch({ window: '6h' })).toEqual({ window: '6h' });
  expect(nodeSearch({ window: '2h' })).toEqual({ window: undefined });
});

it('how one looks at the nodes is no filter', () => {
  expect(isFiltered(nodesSearch({ view: 'table', group: 'pool', owner: 'lin' }))).toBe(false);
  expect(isFiltered(nodesSearch({ pool: 'big' }))).toBe(true);
});
