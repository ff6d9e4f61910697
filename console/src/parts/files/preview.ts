/** What the first bytes of a file can be shown as. */

/** Of text so much is read and shown; images up to so much, as they cannot be shown in part. */
export const MOST_TEXT = 2 ** 18;
export const MOST_IMAGE = 8 * 2 ** 20;
const MOST_ROWS = 100;
const MOST_CELLS = 50;

export type Preview =
  | { kind: 'text'; text: string; cut: boolean }
  | { kind: 'table'; rows: string[][]; cut: boolean }
  | { kind: 'image'; type: string }
  | { kind: 'binary' };

/** The kinds of images that hold no program; by their first bytes, whatever their name says. */
const IMAGES: [string, (bytes: Uint8Array) => boolean][] = [
  ['image/png', (bytes) => begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => begins(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => begins(bytes, [0x47, 0x49, 0x46, 0x38])],
  ['image/webp', (bytes) => begins(bytes, [0x52, 0x49, 0x46, 0x46]) && begins(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50])],
];

const begins = (bytes: Uint8Array, with_: number[]): boolean => with_.every((byte, at) => bytes[at] === byte);

export function previewOf(name: string, size: number, start: Uint8Array): Preview {
  const image = IMAGES.find(([, is]) => is(start));
  if (image) return size <= MOST_IMAGE ? { kind: 'image', type: image[0] } : { kind: 'binary' };
  const text = textOf(start);
  if (text === null) return { kind: 'binary' };
  const cut = size > start.length;
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'csv' || ending === 'tsv') return tableOf(text, ending === 'csv' ? ',' : '\t', cut);
  if (ending === 'json' && !cut) return { kind: 'text', text: pretty(text), cut };
  return { kind: 'text', text, cut };
}

/** Null where it is no text. A character that the cut goes through is left out. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The first rows; a quoted cell may hold separators, quotes and line breaks. */
function tableOf(text: string, between: string, cut: boolean): Preview {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || cell !== '') rows.push(row.slice(0, MOST_CELLS));
    [row, cell] = [[], ''];
  };
  let at = 0;
  for (; at < text.length && rows.length < MOST_ROWS; at += 1) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === between) {
      row.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  if (!cut && rows.length < MOST_ROWS) endRow();
  return { kind: 'table', rows, cut: cut || at < text.length };
}
