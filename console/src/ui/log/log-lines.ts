/** Lines of a log as the view needs them: cleaned once, added cheaply at both ends, looked through without drawing. */
import { afterReturns, stripAnsi } from './ansi';

export interface Line {
  /** Milliseconds. */
  time: number;
  error: boolean;
  /** As printed, with colours, without overwritten progress. */
  raw: string;
  /** Where the line begins in the log; of streamed lines, where their batch begins. */
  offset: number;
  /** Its place in the batch. */
  nth: number;
}

/** Beyond this, lines leave the page (not the log) at the far end: a tab must not grow without bound. */
export const MOST_LINES = 1_000_000;
/** More of one line than this is not drawn. */
const LONGEST_DRAWN = 4000;

export function toLine(time: number, error: boolean, text: string, offset = 0, nth = 0): Line {
  const clean = text.includes('\r') ? afterReturns(text) : text;
  const raw = clean.length > LONGEST_DRAWN ? `${clean.slice(0, LONGEST_DRAWN)}…` : clean;
  return { time, error, raw, offset, nth };
}

/** A growing list that React can compare: the array is shared and grows in place, the version changes. */
export class LineBuffer {
  lines: Line[] = [];
  version = 0;
  /** The first line's number among all that were here since the last reset; lines in front of the first ones have negative ones. */
  base = 0;
  readonly #most: number;
  readonly #listeners = new Set<() => void>();
  #scheduled = false;

  constructor(most = MOST_LINES) {
    this.#most = most;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): number => this.version;

  /** Adds at the end; the oldest leave. */
  append(lines: Line[]): void {
    for (const line of lines) this.lines.push(line);
    const excess = this.lines.length - this.#most;
    // Not at each line: moving a million takes its time.
    if (excess > this.#most / 10) {
      this.lines = this.lines.slice(excess);
      this.base += excess;
    }
    this.#changed();
  }

  /** Adds in front; tells whether the newest had to leave. */
  prepend(lines: Line[]): boolean {
    const all = lines.concat(this.lines);
    const full = all.length > this.#most;
    if (full) all.length = Math.max(lines.length, this.#most);
    this.lines = all;
    this.base -= lines.length;
    this.#changed();
    return full;
  }

  reset(lines: Line[]): void {
    this.lines = lines;
    // Numbers are never used twice: whoever holds an old one finds nothing instead of something else.
    this.base += 1_000_000_000;
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

/** The numbers of those lines of a growing list that pass a test; only lines that are new are looked at. */
export class LineIndex {
  found: number[] = [];
  /** All lines were looked at. */
  complete = true;
  readonly #test: (line: Line) => boolean;
  /** The lines that were looked at. */
  #from = 0;
  #to = 0;

  constructor(test: (line: Line) => boolean) {
    this.#test = test;
  }

  /**
   * `base` is the number of the first line; the answer is the same array until something changes.
   * No more than `most` lines are looked at, the newest first; the next call goes on.
   */
  update(lines: Line[], base: number, most = Number.POSITIVE_INFINITY): number[] {
    const end = base + lines.length;
    if (base >= this.#to || end <= this.#from) {
      this.found = [];
      this.#from = end;
      this.#to = end;
    } else if (base > this.#from || end < this.#to) {
      this.found = this.found.filter((number) => number >= base && number < end);
      this.#from = Math.max(base, this.#from);
      this.#to = Math.min(end, this.#to);
    }
    const to = Math.min(end, this.#to + most);
    const from = Math.max(base, this.#from - (most - (to - this.#to)));
    const front = this.#scan(lines, base, from, this.#from);
    const back = this.#scan(lines, base, this.#to, to);
    if (front.length + back.length > 0) this.found = front.concat(this.found, back);
    this.#from = from;
    this.#to = to;
    this.complete = from === base && to === end;
    return this.found;
  }

  #scan(lines: Line[], base: number, from: number, to: number): number[] {
    const found: number[] = [];
    for (let number = from; number < to; number += 1) if (this.#test(lines[number - base]!)) found.push(number);
    return found;
  }
}

/** Whether a line contains the words, ignoring case and colours. */
export function containing(words: string): (line: Line) => boolean {
  const wanted = words.toLowerCase();
  return wanted === '' ? () => false : ({ raw }) => stripAnsi(raw).toLowerCase().includes(wanted);
}

const NAMED = /\w(?:Error|Exception)\b/;
const FAILURE =
  /\b(?:errors?|exceptions?|fatal|critical|panic|traceback|segmentation fault|core dumped|out of memory|oom-?kill\w*|assertion failed|failed)\b/i;
const NO_LOSS = /\bloss\b\W{0,6}(?:is |was )?(?:not a number|nan|[+-]?inf(?:inity)?)\b|\bnan\b.{0,20}\bloss\b/i;
/** "0 errors", "no error", "error: 0.12", "failed=0": words of a good day. */
const HARMLESS =
  /\b(?:0|no|without|zero)\s+(?:\w+\s+)?(?:errors?|exceptions?|failed|failures?)\b|\b\w*(?:error|exception|failed)s?\b\s*(?:rate)?\s*[:=]?\s*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\b/gi;

/** Whether a line tells of a failure: an exception, something fatal, a loss that is no number. */
export function tellsOfFailure({ raw }: Line): boolean {
  const text = stripAnsi(raw);
  if (NAMED.test(text) || NO_LOSS.test(text)) return true;
  return FAILURE.test(text) && FAILURE.test(text.replace(HARMLESS, ''));
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

/** The index of the first line at or after a moment; times rise within a log. */
export function indexAtTime(lines: Line[], time: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, lines.length - 1);
}
