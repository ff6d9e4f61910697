/** A job file as typed: parsed in the browser, with every error brought to its place in the text. */
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, stringify, visit } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import type { JobFile } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import type { MessageKey, Translate } from '@/app/i18n';
import { syntaxKey } from './syntax';

export interface Place {
  from: number;
  to: number;
  /** From 1. */
  line: number;
  column: number;
}

export interface FileProblem extends Place {
  /** `resources.gpus`; empty for the file as a whole. */
  field: string;
  message: string;
  hint?: string | undefined;
}

export interface ParsedFile {
  /** Null where the text cannot be sent: broken syntax, or no mapping. */
  file: JobFile | null;
  problems: FileProblem[];
  place: (error: FieldError) => FileProblem;
}

export function parseJobFile(text: string, t: Translate): ParsedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (from: number, to: number): Place => {
    const { line, col } = lines.linePos(from);
    return { from, to: Math.max(to, Math.min(from + 1, text.length)), line: Math.max(1, line), column: Math.max(1, col) };
  };
  const place = (error: FieldError): FileProblem => {
    const [from, to] = locate(document, text, error);
    return { ...at(from, to), field: error.loc.join('.'), message: error.message, hint: error.hint ?? undefined };
  };
  const problems = document.errors.map((error) => {
    const key = syntaxKey(error);
    const [from, to] = (key && opening(document, key, error.pos[0])) || error.pos;
    return { ...at(from, to), field: '', message: key ? t(key) : error.message };
  });
  if (problems.length > 0) return { file: null, problems, place };
  if (!isMap(document.contents))
    return { file: null, problems: [{ ...at(0, firstLineEnd(text)), field: '', message: t('submit.notMapping') }], place };
  const tangle = tangleIn(document);
  if (tangle) return { file: null, problems: [{ ...at(...tangle.range), field: '', message: t(tangle.key) }], place };
  return { file: document.toJS() as JobFile, problems: [], place };
}

interface Tangle {
  key: MessageKey;
  range: Range;
}

/** Aliases that cannot be spelled out: one inside what it stands for, or too many. */
export function tangleIn(document: Document): Tangle | null {
  let first: Range | null = null;
  let inside: Range | null = null;
  visit(document, {
    Alias(_, alias, path) {
      first ??= rangeOf(alias);
      const meant = alias.resolve(document);
      if (meant && path.includes(meant)) inside ??= rangeOf(alias) ?? [0, 0];
    },
  });
  if (inside) return { key: 'yaml.loop', range: inside };
  if (!first) return null;
  try {
    document.toJS();
    return null;
  } catch {
    return { key: 'yaml.aliases', range: first };
  }
}

/** What is not closed is noticed at its end, but mended at its beginning. */
function opening(document: Document, key: MessageKey, noticed: number): Range | null {
  let begin: number | null = null;
  visit(document, (_, node) => {
    const unclosed =
      key === 'yaml.quote' ? isScalar(node) && /QUOTE/.test(node.type ?? '') : key === 'yaml.bracket' && isCollection(node) && node.flow;
    const range = unclosed ? rangeOf(node) : null;
    if (range && range[0] <= noticed && range[1] >= noticed - 1) begin = range[0];
  });
  return begin === null ? null : [begin, begin + 1];
}

/** A normalised job file back as YAML. */
export function toYaml(file: unknown): string {
  return stringify(file, { lineWidth: 110 });
}

type Range = [from: number, to: number];

/** The nearest thing in the text that an error speaks of: the value, else its key, else the parent's key. */
export function locate(document: Document, text: string, { loc, code }: Pick<FieldError, 'loc' | 'code'>): Range {
  let node: unknown = document.contents;
  let best: Range = [0, firstLineEnd(text)];
  for (const [depth, part] of loc.entries()) {
    const last = depth === loc.length - 1;
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => String(keyOf(item)) === String(part));
      // Validators may name a variant of a union on the way; such a part is nowhere in the text.
      if (!pair) continue;
      best = rangeOf(pair.key) ?? best;
      node = pair.value;
      if (last && !/unknown|extra|unexpected/.test(code)) best = scalarRange(node) ?? best;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(part)];
      if (item === undefined) continue;
      node = item;
      best = scalarRange(item) ?? firstLineOf(rangeOf(item), text) ?? best;
    }
  }
  return best;
}

function keyOf(pair: Pair): unknown {
  return isScalar(pair.key) ? pair.key.value : pair.key;
}

/** A block of lines is too much to underline; its key says the same. */
function scalarRange(node: unknown): Range | null {
  if (isCollection(node) && !node.flow) return null;
  const range = rangeOf(node);
  return range && range[1] > range[0] ? range : null;
}

function rangeOf(node: unknown): Range | null {
  if (isPair(node)) return rangeOf(node.key);
  const range = (node as Node | null)?.range;
  return range ? [range[0], range[1]] : null;
}

function firstLineOf(range: Range | null, text: string): Range | null {
  if (!range) return null;
  const end = text.indexOf('\n', range[0]);
  return [range[0], end === -1 ? range[1] : Math.min(end, range[1])];
}

function firstLineEnd(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end;
}
