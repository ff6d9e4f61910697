/** The cells of a notebook, of which nothing is trusted: text and plain images come out, HTML and scripts do not. */

const MOST_CELLS = 500;
const MOST_OUTPUTS = 50;
const LONGEST = 100_000;
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Colours and the like, as terminals have them. */
// oxlint-disable-next-line no-control-regex -- that is what it is about
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;

export type Output = { kind: 'text' | 'error'; text: string } | { kind: 'image'; url: string } | { kind: 'hidden'; type: string };

export interface Cell {
  kind: 'code' | 'markdown' | 'raw';
  source: string;
  /** When it was run, counted from one. */
  count: number | null;
  outputs: Output[];
}

export interface Notebook {
  cells: Cell[];
  /** How many are left out. */
  more: number;
}

type Raw = Record<string, unknown>;

/** Null for what is no notebook. */
export function readNotebook(text: string): Notebook | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRaw(found)) return null;
  // The format before version 4 had its cells in worksheets.
  const sheet = Array.isArray(found.worksheets) && isRaw(found.worksheets[0]) ? found.worksheets[0] : found;
  if (!Array.isArray(sheet.cells)) return null;
  const cells = sheet.cells.filter(isRaw);
  return { cells: cells.slice(0, MOST_CELLS).map(cellOf), more: Math.max(0, cells.length - MOST_CELLS) };
}

function cellOf(raw: Raw): Cell {
  const kind = raw.cell_type === 'code' ? 'code' : raw.cell_type === 'markdown' ? 'markdown' : 'raw';
  const count = raw.execution_count ?? raw.prompt_number;
  const outputs = Array.isArray(raw.outputs) ? raw.outputs.filter(isRaw).slice(0, MOST_OUTPUTS) : [];
  return {
    kind,
    source: textOf(raw.source ?? raw.input),
    count: typeof count === 'number' ? count : null,
    outputs: outputs.map(outputOf).filter((one) => one !== null),
  };
}

function outputOf(raw: Raw): Output | null {
  if (Array.isArray(raw.traceback)) return { kind: 'error', text: textOf(raw.traceback.map((line) => textOf(line)).join('\n')) };
  if (raw.output_type === 'stream') return { kind: raw.name === 'stderr' ? 'error' : 'text', text: textOf(raw.text) };
  const data = isRaw(raw.data) ? raw.data : {};
  for (const type of IMAGES) {
    const encoded = joined(data[type]).replace(/\s/g, '');
    if (BASE64.test(encoded)) return { kind: 'image', url: `data:${type};base64,${encoded}` };
  }
  const plain = textOf(data['text/plain'] ?? raw.text);
  if (plain !== '') return { kind: 'text', text: plain };
  const [type] = Object.keys(data);
  return type === undefined ? null : { kind: 'hidden', type };
}

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

const joined = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';

function textOf(value: unknown): string {
  const text = joined(value).replace(ANSI, '');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
