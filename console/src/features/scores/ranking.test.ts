import { describe, expect, it } from 'vitest';
import type { Score } from '@/api/queue';
import { modelsOf, ranked } from './ranking';

const score = (user: string, scores: Record<string, number>): Score => ({
  user,
  score_time: '6h',
  scores: Object.entries(scores).map(([model, value]) => ({ model, score: value, held: 0 })),
});
const all = [score('wang', { A100: 2, cpu: 1 }), score('chen', { H100: 5 }), score('lin', { A100: 2, H100: 1 })];
const users = (sort: string) => ranked(all, sort).map(({ user }) => user);

describe('everybody’s scores', () => {
  it('have a column for each model, the CPUs last', () => {
    expect(modelsOf(all)).toEqual(['A100', 'H100', 'cpu']);
  });

  it('stand by name or by a model, either way round', () => {
    expect(users('user')).toEqual(['chen', 'lin', 'wang']);
    expect(users('-user')).toEqual(['wang', 'lin', 'chen']);
    expect(users('-H100')).toEqual(['chen', 'lin', 'wang']);
  });

  it('count no score as none, and equal ones by name', () => {
    expect(users('A100')).toEqual(['chen', 'lin', 'wang']);
    expect(users('strange')).toEqual(['chen', 'lin', 'wang']);
  });
});
