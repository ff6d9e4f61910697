import { describe, expect, it } from 'vitest';
import { reason, row } from '@/testing/samples';
import { isNews, latestEnd, newerThan } from './news';

const ended = (id: string, at: string) => row({ id, state: 'completed', ended_at: at });
const stoppedBy = (user: string) =>
  row({ state: 'stopped', ended_at: '2026-05-01T12:00:00Z', reason: { ...reason, code: 'stopped_by', params: { user } } });

describe('news', () => {
  it('are jobs that ended, but not those one stopped oneself', () => {
    expect(isNews(ended('a', '2026-05-01T12:00:00Z'))).toBe(true);
    expect(isNews(stoppedBy('admin'))).toBe(true);
    expect(isNews(stoppedBy('lin'))).toBe(false);
    expect(isNews(row())).toBe(false);
  });

  it('are new if they came after one last looked', () => {
    const news = [ended('b', '2026-05-01T12:00:01.500Z'), ended('a', '2026-05-01T12:00:00Z')];
    expect(newerThan(news, '2026-05-01T12:00:00Z').map(({ id }) => id)).toEqual(['b']);
    expect(newerThan(news, null)).toHaveLength(2);
    expect(newerThan(news, latestEnd(news))).toEqual([]);
    expect(latestEnd([])).toBeNull();
  });
});
