/** Where each line of a log stands: all lines of one height, or as many rows as a line takes when it is wrapped. */
import { stripAnsi } from './ansi';
import type { Line } from './log-lines';

export const LINE_HEIGHT = 20;
/** Browsers know no taller elements; a longer log scrolls a little faster than the wheel says. */
export const TALLEST = 15_000_000;

export interface Layout {
  /** Of all lines, in pixels. */
  height: number;
  /** Where the first line stands among all that came and left: what it moves by, the others move by. */
  origin: number;
  topOf(index: number): number;
  /** The line at a height. */
  indexAt(top: number): number;
}

export function evenLayout(count: number, base: number): Layout {
  return {
    height: count * LINE_HEIGHT,
    origin: base * LINE_HEIGHT,
    topOf: (index) => index * LINE_HEIGHT,
    indexAt: (top) => Math.max(0, Math.min(count - 1, Math.floor(top / LINE_HEIGHT))),
  };
}

const PLAIN = /^[\u0020-\u007E]*$/;
// Han, kana, hangul, full-width forms and emoji take two columns.
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\uD83C-\uDBFF][\uDC00-\uDFFF]/g;
const TAB = 8;

/** How many columns a line takes at most. */
export function columnsOf(raw: string): number {
  const text = stripAnsi(raw);
  if (PLAIN.test(text)) return text.length;
  const wide = text.match(WIDE)?.reduce((sum, character) => sum + 2 - character.length, 0) ?? 0;
  const tabs = text.split('\t').length - 1;
  return text.length + wide + tabs * (TAB - 1);
}

/** The layout of wrapped lines; knows the widths of lines that it has seen. */
export class WrappedLayout implements Layout {
  height = 0;
  origin = 0;
  #columns = 0;
  #base = 0;
  #widths: number[] = [];
  /** Rows above each line. */
  #above: number[] = [0];

  update(lines: Line[], base: number, columns: number): this {
    const end = base + lines.length;
    const knownEnd = this.#base + this.#widths.length;
    const overlaps = base < knownEnd && end > this.#base;
    if (overlaps && base === this.#base && end >= knownEnd) {
      for (let index = this.#widths.length; index < lines.length; index += 1) this.#widths.push(columnsOf(lines[index]!.raw));
      this.#sum(columns === this.#columns ? knownEnd - base : 0, columns);
    } else {
      const known = this.#widths;
      const shift = base - this.#base;
      if (overlaps && shift > 0) this.origin += this.topOf(shift);
      this.#widths = lines.map((line, index) => (overlaps ? known[index + shift] : undefined) ?? columnsOf(line.raw));
      this.#sum(0, columns);
      if (overlaps && shift < 0) this.origin -= this.topOf(-shift);
    }
    this.#base = base;
    return this;
  }

  topOf(index: number): number {
    return (this.#above[index] ?? this.#above.at(-1)!) * LINE_HEIGHT;
  }

  indexAt(top: number): number {
    const row = top / LINE_HEIGHT;
    let low = 0;
    let high = this.#widths.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#above[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  #sum(from: number, columns: number): void {
    this.#columns = columns;
    this.#above.length = from + 1;
    let rows = this.#above[from]!;
    for (let index = from; index < this.#widths.length; index += 1) {
      rows += Math.max(1, Math.ceil(this.#widths[index]! / columns));
      this.#above.push(rows);
    }
    this.height = rows * LINE_HEIGHT;
  }
}
