/** Terminal colours in log lines: the few escape codes that training programs print. */

export interface Segment {
  text: string;
  /** 0–15, the terminal's palette. */
  color?: number;
  bold?: boolean;
}

// oxlint-disable-next-line no-control-regex -- escape sequences are control characters
const ESCAPE = /\u001B(?:\[([0-9;?]*)([ -/]*[@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;

/** What a terminal would leave of a line: the text after the last carriage return that something followed. */
export function afterReturns(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  const from = line.lastIndexOf('\r', end - 1);
  return from === -1 ? line.slice(0, end) : line.slice(from + 1, end);
}

export function stripAnsi(line: string): string {
  return line.includes('\u001B') ? line.replace(ESCAPE, '') : line;
}

export function parseAnsi(line: string): Segment[] {
  if (!line.includes('\u001B')) return [{ text: line }];
  const segments: Segment[] = [];
  let look: Omit<Segment, 'text'> = {};
  let from = 0;
  for (const match of line.matchAll(ESCAPE)) {
    if (match.index > from) segments.push({ text: line.slice(from, match.index), ...look });
    from = match.index + match[0].length;
    if (match[2] === 'm') look = applied(look, match[1] ?? '');
  }
  if (from < line.length) segments.push({ text: line.slice(from), ...look });
  return segments;
}

function applied(look: Omit<Segment, 'text'>, codes: string): Omit<Segment, 'text'> {
  const next = { ...look };
  const list = codes.split(';').map(Number);
  for (let index = 0; index < list.length; index += 1) {
    const code = list[index] ?? 0;
    if (code === 0) {
      delete next.color;
      delete next.bold;
    } else if (code === 1) next.bold = true;
    else if (code === 22) delete next.bold;
    else if (code >= 30 && code <= 37) next.color = code - 30;
    else if (code >= 90 && code <= 97) next.color = code - 82;
    else if (code === 39) delete next.color;
    else if (code === 38 || code === 48) {
      // 256 colours and true colour: skipped over, apart from the sixteen that we have.
      const wide = list[index + 1] === 2;
      const value = list[index + 2] ?? 0;
      if (code === 38 && !wide && value < 16) next.color = value;
      index += wide ? 4 : 2;
    }
  }
  return next;
}
