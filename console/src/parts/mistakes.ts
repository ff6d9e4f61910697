/** What the server said of a form. */
import { ApiError } from '@/api/problem';

/** A sentence for each field that was refused. */
export type Mistakes = Partial<Record<string, string>>;

/** By the first word of the field's place; what stands at no field is under the empty word. */
export function mistakesOf(error: unknown): Mistakes {
  if (!(error instanceof ApiError)) return {};
  const told = error.problem.errors.map(({ loc, message, hint }) => [String(loc[0] ?? ''), hint ? `${message} (${hint})` : message] as const);
  // Of several at one field the first will do.
  return Object.fromEntries(told.toReversed());
}

/** Whether every mistake is told beside one of these fields. */
export function standsAt(error: unknown, fields: readonly string[]): boolean {
  const places = Object.keys(mistakesOf(error));
  return places.length > 0 && places.every((place) => fields.includes(place));
}

/** The same by the whole place: `resources.gpus`. */
export function mistakesAt(error: unknown): Mistakes {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.problem.errors.map(({ loc, message, hint }) => [loc.join('.'), hint ? `${message} (${hint})` : message] as const).toReversed());
}

/** What is to be told of the whole: nothing where all of it is told beside these fields. */
export function untold(error: unknown, fields: readonly string[]): unknown {
  return standsAt(error, fields) ? null : error;
}
