/** Everybody's scores side by side: one column for each GPU model. */
import type { ModelScore, Score } from '@/api/queue';

export const BY_USER = 'user';

/** All models that somebody has a score of, the CPUs last. */
export function modelsOf(scores: readonly Score[]): string[] {
  const models = new Set(scores.flatMap((score) => score.scores.map(({ model }) => model)));
  return [...models].sort((a, b) => Number(a === 'cpu') - Number(b === 'cpu') || a.localeCompare(b));
}

export function scoreOf(score: Score, model: string): ModelScore | undefined {
  return score.scores.find((one) => one.model === model);
}

/** By name, or by the score of a model; a minus turns it round. Equal scores stand by name. */
export function ranked(scores: readonly Score[], sort: string): Score[] {
  const descending = sort.startsWith('-');
  const by = descending ? sort.slice(1) : sort;
  const value = (score: Score) => scoreOf(score, by)?.score ?? 0;
  const compare = (a: Score, b: Score) => (by === BY_USER ? 0 : value(a) - value(b)) || a.user.localeCompare(b.user);
  return scores.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}
