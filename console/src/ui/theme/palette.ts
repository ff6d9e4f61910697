/** Colours that tell things apart: the lines of a chart, and people, who have the same colour on every page. */

/** So many `--series-N` are in tokens.css, with `--on-series-N` for what is written on them. A test looks at them with other eyes. */
export const SERIES = 8;

/** The token of the line of this number. */
export const seriesToken = (number: number): string => `series-${number % SERIES}`;

/** A person's number among them: out of their name alone, so that it is the same everywhere. */
export function personSeries(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  // The low bits of so short a hash differ little between names.
  return ((hash ^ (hash >>> 15)) >>> 0) % SERIES;
}
