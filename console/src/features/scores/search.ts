/** What the addresses of the scores hold. */
import { one } from '@/app/search';

export interface ScoreSearch {
  model?: string | undefined;
}

export function scoreSearch(raw: Record<string, unknown>): ScoreSearch {
  return { model: one(raw.model) };
}

export interface ScoresSearch {
  /** "user" or the name of a GPU model; a minus turns it round. */
  sort?: string | undefined;
}

export function scoresSearch(raw: Record<string, unknown>): ScoresSearch {
  return { sort: one(raw.sort) };
}
