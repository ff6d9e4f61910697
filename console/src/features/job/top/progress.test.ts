import { describe, expect, it } from 'vitest';
import { stepProgress, timeProgress } from './progress';

const started = '2026-05-01T10:00:00Z';
const at = (minutes: number) => Date.parse(started) + minutes * 60_000;
const job = (spec: Record<string, unknown>, ended_at: string | null = null) => ({ spec, started_at: started, ended_at });

describe('the progress in time', () => {
  it('is nothing where nothing was expected or nothing runs', () => {
    expect(timeProgress(job({}), at(5))).toBeNull();
    expect(timeProgress({ ...job({ max_time: '1h' }), started_at: null }, at(5))).toBeNull();
  });

  it('ends at the most it may take, with a mark where it was expected', () => {
    expect(timeProgress(job({ expected_time: '30m', max_time: '2h' }), at(60))).toMatchObject({ part: 0.5, expectedAt: 0.25, late: true });
  });

  it('grows with what takes longer than expected and has no bound', () => {
    expect(timeProgress(job({ expected_time: '30m' }), at(15))).toMatchObject({ part: 0.5, expectedAt: 1, late: false });
    expect(timeProgress(job({ expected_time: '30m' }), at(60))).toMatchObject({ part: 1, expectedAt: 0.5, late: true });
  });

  it('stands still once it has ended', () => {
    expect(timeProgress(job({ max_time: '1h' }, '2026-05-01T10:15:00Z'), at(600))).toMatchObject({ part: 0.25 });
  });
});

describe('the progress in steps', () => {
  it('needs a total', () => {
    expect(stepProgress(5, null, 1)).toBeNull();
    expect(stepProgress(null, 10, 1)).toBeNull();
  });

  it('tells how long the rest takes', () => {
    expect(stepProgress(250, 1000, 0.5)).toEqual({ step: 250, of: 1000, left: 1_500_000 });
    expect(stepProgress(1200, 1000, 0.5)).toEqual({ step: 1000, of: 1000, left: 0 });
    expect(stepProgress(250, 1000, null)!.left).toBeNull();
  });
});
