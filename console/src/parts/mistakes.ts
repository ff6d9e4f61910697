/** What the server said of a form. */
import { ApiError } from '@/api/problem';
import { mistakeText } from '@/app/refusals';

/** A sentence for each field that was refused. */
export type Mistakes = Partial<Record<string, string>>;
/** The fields that tell their own mistakes: by their first word, by their whole place (`resources.gpus`), or all that look like this. */
export type Fields = readonly string[] | RegExp;

interface Told {
  mistakes: Mistakes;
  /** What is to be told of the whole: nothing where all of it is told beside the fields. */
  untold: unknown;
}

/** Without fields, whatever has a place is told there. */
export function mistakesIn(error: unknown, fields?: Fields): Told {
  if (!(error instanceof ApiError)) return { mistakes: {}, untold: error };
  const found = error.problem.errors.map((one) => [fieldOf(one.loc, fields), mistakeText(one)] as const);
  const told = found.length > 0 && found.every(([field]) => tells(fields, field));
  // Of several at one field the first will do.
  return { mistakes: Object.fromEntries(found.toReversed()), untold: told ? null : error };
}

function fieldOf(loc: readonly (string | number)[], fields: Fields | undefined): string {
  const place = loc.join('.');
  return fields instanceof RegExp || fields?.includes(place) ? place : String(loc[0] ?? '');
}

function tells(fields: Fields | undefined, field: string): boolean {
  if (fields instanceof RegExp) return fields.test(field);
  return fields ? fields.includes(field) : field !== '';
}
