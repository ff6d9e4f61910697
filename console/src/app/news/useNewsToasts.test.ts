import { describe, expect, it } from 'vitest';
import { row } from '@/testing/samples';
import { freshEndings, withThese } from './useNewsToasts';

const ended = (id: string, minute: number) =>
  row({ id, state: 'completed', ended_at: `2026-05-01T12:${String(minute).padStart(2, '0')}:00Z` });
const known = (...jobs: ReturnType<typeof row>[]) => withThese(undefined, jobs);
const ids = (jobs: ReturnType<typeof row>[]) => jobs.map(({ id }) => id);

describe('jobs that ended just now', () => {
  const [a, b, c] = [ended('a', 1), ended('b', 2), ended('c', 3)];

  it('are those on top that were not known', () => {
    expect(ids(freshEndings([c, b, a], known(b, a)))).toEqual(['c']);
    expect(freshEndings([b, a], known(b, a))).toEqual([]);
  });

  it('are not older ones that come into view when another is deleted', () => {
    expect(freshEndings([b, a], known(c, b))).toEqual([]);
  });

  it('are not the older ones that come when all that were known are deleted', () => {
    const afterwards = withThese(known(c, b), []);
    expect(freshEndings([a], known(c, b))).toEqual([]);
    expect(freshEndings([b, a], afterwards)).toEqual([]);
  });

  it('are also those of the very moment of the latest known', () => {
    const twin = ended('twin', 3);
    expect(ids(freshEndings([twin, c, b], known(c, b)))).toEqual(['twin']);
  });

  it('are also those that ended once before', () => {
    const again = ended('a', 9);
    expect(ids(freshEndings([again, b], known(b, a)))).toEqual(['a']);
  });

  it('are all if there were none', () => {
    expect(ids(freshEndings([b, a], known()))).toEqual(['b', 'a']);
  });
});
