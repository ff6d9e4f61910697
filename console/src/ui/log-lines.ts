/** Lines of a log as the view needs them: cleaned once, appended cheaply, searched without drawing. */
import { afterReturns, stripAnsi } from './ansi';

export interface Line {
  /** Milliseconds. */
  time: number;
  error: boolean;
  /** As printed, with colours, without overwritten progress. */
  raw: string;
  /** Where the line begins in the log; streamed lines do not say. */
  offset?: number;
}

/** Beyond this the oldest lines leave the page (not the log): a tab must not grow without bound. */
export const MOST_LINES = 500_000;
/** More of one line than this is not drawn. */
const LONGEST_DRAWN = 4000;

export function toLine(time: number, error: boolean, text: string, offset?: number): Line {
  const clean = text.includes('\r') ? afterReturns(text) : text;
  const raw = clean.length > LONGEST_DRAWN ? `${clean.slice(0, LONGEST_DRAWN)}…` : clean;
  return offset === undefined ? { time, error, raw } : { time, error, raw, offset };
}

/** A growing list that React can compare: the array is shared and grows in place, the version changes. */
export class LineBuffer {
  lines: Line[] = [];
  version = 0;
  /** How many lines have left at the front, so that numbers stay true. */
  dropped = 0;
  readonly #listeners = new Set<() => void>();
  #scheduled = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): number => this.version;

  append(lines: Line[]): void {
    for (const line of lines) this.lines.push(line);
    const excess = this.lines.length - MOST_LINES;
    if (excess > MOST_LINES / 10) {
      this.lines = this.lines.slice(excess);
      this.dropped += excess;
    }
    this.#changed();
  }

  prepend(lines: Line[]): void {
    this.lines = [...lines, ...this.lines];
    this.#changed();
  }

  reset(lines: Line[]): void {
    this.lines = lines;
    this.dropped = 0;
    this.#changed();
  }

  /** However fast lines come, the page draws once per frame. */
  #changed(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.version += 1;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Indices of the lines that contain the words, ignoring case. */
export function findMatches(lines: Line[], search: string, from = 0): number[] {
  const wanted = search.toLowerCase();
  const found: number[] = [];
  if (wanted === '') return found;
  for (let index = from; index < lines.length; index += 1) {
    if (stripAnsi(lines[index]!.raw).toLowerCase().includes(wanted)) found.push(index);
  }
  return found;
}

/** Where in a text the words stand, for highlighting. */
export function spansOf(text: string, search: string): [start: number, end: number][] {
  const spans: [number, number][] = [];
  const wanted = search.toLowerCase();
  if (wanted === '') return spans;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length)) {
    spans.push([at, at + wanted.length]);
  }
  return spans;
}
