import { describe, expect, it } from 'vitest';
import { row } from '@/testing/samples';
import { rowProgress } from './progress';

const NOW = Date.parse('2026-05-01T11:01:00Z');
const latest = { step: 420, total_steps: 1000, metric: 'loss', value: 0.231, at: '2026-05-01T11:00:00Z' };

describe('how far a job is', () => {
  it('is told by its steps before its time', () => {
    expect(rowProgress(row({ latest, expected_time: 7200 }), NOW)).toEqual({ share: 0.42, by: 'steps', done: 420, of: 1000 });
  });

  it('is told by the time it was expected to take, else by the longest it may', () => {
    const untold = { ...latest, total_steps: null };
    expect(rowProgress(row({ latest: untold, expected_time: 7200, max_time: 14_400 }), NOW)).toMatchObject({ share: 0.5, by: 'expected' });
    expect(rowProgress(row({ max_time: 14_400 }), NOW)).toMatchObject({ share: 0.25, by: 'most' });
  });

  it('ends at its end', () => {
    expect(rowProgress(row({ expected_time: 60 }), NOW)!.share).toBe(1);
    expect(rowProgress(row({ latest: { ...latest, step: 2000 } }), NOW)!.share).toBe(1);
  });

  it('is not made up', () => {
    expect(rowProgress(row(), NOW)).toBeNull();
    expect(rowProgress(row({ state: 'queued', expected_time: 60 }), NOW)).toBeNull();
    expect(rowProgress(row({ state: 'completed', latest }), NOW)).toBeNull();
    expect(rowProgress(row({ started_at: null, expected_time: 60 }), NOW)).toBeNull();
  });
});
