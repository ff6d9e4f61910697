/** What the first bytes of a file can be shown as. */

import type { FileStart } from '@/api/files';
import { pixelsOf } from './pixels';

/** Of text so much is read and shown; images and notebooks up to so much, as they cannot be shown in part. */
export const MOST_TEXT = 2 ** 18;
export const MOST_IMAGE = 8 * 2 ** 20;
export const MOST_NOTEBOOK = 16 * 2 ** 20;
export const MOST_PIXELS = 64_000_000;
const MOST_ROWS = 100;
const MOST_CELLS = 50;

export type Preview =
  | { kind: 'text'; text: string; cut: boolean }
  | { kind: 'table'; rows: string[][]; cut: boolean }
  | { kind: 'image'; type: string }
  | { kind: 'sound' }
  | { kind: 'film' }
  | { kind: 'notebook' }
  | { kind: 'tooLarge' }
  | { kind: 'binary' };

/** `type` is what the server took the first bytes for, whatever the name says; it names nothing that holds a program. */
export function previewOf(name: string, { size, type, bytes }: FileStart): Preview {
  if (type.startsWith('audio/')) return { kind: 'sound' };
  if (type.startsWith('video/')) return { kind: 'film' };
  if (type.startsWith('image/')) return isLarge(size, bytes, type) ? { kind: 'tooLarge' } : { kind: 'image', type };
  const text = textOf(bytes);
  if (text === null) return { kind: 'binary' };
  const cut = size > bytes.length;
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === 'ipynb' && size <= MOST_NOTEBOOK) return { kind: 'notebook' };
  if (ending === 'csv' || ending === 'tsv') return tableOf(text, ending === 'csv' ? ',' : '\t', cut);
  if (ending === 'json' && !cut) return { kind: 'text', text: pretty(text), cut };
  return { kind: 'text', text, cut };
}

/** A small file may unfold into a picture that takes all of the browser's memory. */
function isLarge(size: number, bytes: Uint8Array, type: string): boolean {
  const [width, height] = pixelsOf(bytes, type) ?? [0, 0];
  return size > MOST_IMAGE || width * height > MOST_PIXELS;
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
