/** Changes to a job file by path: only the text of the key that changes is written anew, the rest stays as it was typed. */
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, parseDocument, Scalar, visit } from 'yaml';
import type { Document, Pair, ToStringOptions, YAMLMap } from 'yaml';
import { tangleIn } from './job-file';
import { KEY_ORDER } from './job-file-keys';

export type Path = readonly (string | number)[];

/** Sets the value at a path, or takes it away where the value is undefined; `rename` gives its key another name. */
export interface Edit {
  path: Path;
  value?: unknown;
  rename?: string;
}

/** The text with the changes made; a text that cannot be read stays as it is. */
export function editFile(text: string, edits: readonly Edit[]): string {
  return edits.reduce(applied, text);
}

function applied(text: string, edit: Edit): string {
  const before = parseDocument(text);
  if (before.errors.length > 0 || tangleIn(before) || (before.contents !== null && !isMap(before.contents) && !isEmpty(before.contents)))
    return text;
  const key = String(edit.path[0]);
  const wanted = render(text, edit, 'BLOCK_LITERAL');
  if (wanted.shared) return wanted.text;
  const result = spliced(text, before, wanted.text, key);
  if (meaning(parseDocument(result)) === wanted.meaning) return result;
  // A comment below that happens to be indented like the new block became part of it; in quotes it cannot.
  const quoted = spliced(text, before, render(text, edit, 'QUOTE_DOUBLE').text, key);
  return meaning(parseDocument(quoted)) === wanted.meaning ? quoted : wanted.text;
}

/** The whole text with the change made; `lines`: how a value of several lines is written. */
function render(text: string, edit: Edit, lines: Lines): { text: string; meaning: string | null; shared: boolean } {
  const document = parseDocument(text);
  const shared = spellOut(document);
  change(document, edit, lines);
  return { text: document.toString(layoutOf(text)), meaning: meaning(document), shared };
}

function meaning(document: Document): string | null {
  if (document.errors.length > 0) return null;
  // The order of the keys is what may differ.
  return JSON.stringify(Object.entries((document.toJS() ?? {}) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

/** What stands for something elsewhere in the file becomes a copy of it: a change then changes one place only. */
function spellOut(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias(_, alias) {
      found = true;
      return document.createNode(alias.resolve(document)?.toJS(document) ?? null);
    },
  });
  if (found) visit(document, { Node: (_, node) => void (isAlias(node) || delete node.anchor) });
  return found;
}

// ── the change itself ────────────────────────────────────────────────────────────────────────────────

type Lines = 'BLOCK_LITERAL' | 'QUOTE_DOUBLE';

function change(document: Document, { path, value, rename }: Edit, lines: Lines): void {
  if (rename !== undefined) renameKey(document, path, rename);
  else if (value === undefined) remove(document, path);
  else write(document, path, value, lines);
}

function write(document: Document, path: Path, value: unknown, lines: Lines): void {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  for (let depth = 1; depth < path.length; depth += 1) {
    const holder = document.getIn(path.slice(0, depth), true);
    const fits = typeof path[depth] === 'number' ? isSeq(holder) : isMap(holder);
    if (!fits) document.setIn(path.slice(0, depth), document.createNode(typeof path[depth] === 'number' ? [] : {}));
  }
  document.setIn(path, isPlain(value) ? scalarLike(document.getIn(path, true), value, lines) : document.createNode(value));
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

/** With the comment and the quotes of what it replaces. */
function scalarLike(old: unknown, value: string | number | boolean | null, lines: Lines): Scalar {
  const fresh = new Scalar(value);
  if (isScalar(old)) {
    fresh.comment = old.comment;
    fresh.commentBefore = old.commentBefore;
    if (typeof value === 'string' && isQuotedByChoice(old)) fresh.type = old.type;
  }
  if (typeof value === 'string' && value.includes('\n')) fresh.type = lines;
  return fresh;
}

/** Quotes that YAML demands, as around "8" and "", are not kept for what needs none. */
function isQuotedByChoice({ type, value }: Scalar): boolean {
  return (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') && parseDocument(String(value)).toJS() === value;
}

/** Takes what would be left empty with it; what was noted above the key stays. */
function remove(document: Document, path: Path): void {
  const parent = path.slice(0, -1);
  const holder = document.getIn(parent, true);
  if (!isCollection(holder)) return;
  if (isMap(holder)) keepNote(holder, path.at(-1));
  holder.delete(path.at(-1));
  if (holder.items.length === 0 && parent.length > 0) remove(document, parent);
}

function keepNote(holder: YAMLMap, key: unknown): void {
  const at = holder.items.findIndex((pair) => keyOf(pair) === String(key));
  const leaving = holder.items[at]?.key;
  if (!isScalar(leaving) || !leaving.commentBefore) return;
  const next = holder.items[at + 1]?.key;
  if (isScalar(next)) next.commentBefore = [leaving.commentBefore, next.commentBefore].filter(Boolean).join('\n');
  else holder.comment = [leaving.commentBefore, holder.comment].filter(Boolean).join('\n');
}

function renameKey(document: Document, path: Path, name: string): void {
  const holder = document.getIn(path.slice(0, -1), true);
  if (!isMap(holder)) return;
  const pair = holder.items.find((item) => keyOf(item) === String(path.at(-1)));
  if (pair && isScalar(pair.key)) pair.key = scalarLike(pair.key, name, 'QUOTE_DOUBLE');
}

function keyOf(pair: Pair): string {
  return String(isScalar(pair.key) ? pair.key.value : pair.key);
}

// ── back into the text ───────────────────────────────────────────────────────────────────────────────

/** As the person seems to like it. */
function layoutOf(text: string): ToStringOptions {
  return {
    lineWidth: 0,
    flowCollectionPadding: /[{[] /.test(text),
    indentSeq: !/^( *)[^\s#-][^\n]*:[^\S\n]*\n\1- /m.test(text),
  };
}

/** Takes from the new text nothing but one key with its value. */
function spliced(text: string, before: Document, rendered: string, key: string): string {
  if (!isMap(before.contents) || before.contents.flow || before.contents.items.some((pair) => columnOf(pair, text) !== 0)) return rendered;
  const old = blockOf(before, text, key);
  const fresh = blockOf(parseDocument(rendered), rendered, key);
  if (!fresh) return old ? text.slice(0, old.from) + text.slice(old.to) : text;
  const block = rendered.slice(fresh.from, fresh.to);
  if (old) return text.slice(0, old.from) + block + text.slice(old.to);
  const at = roomFor(before, text, key);
  const gap = at > 0 && text[at - 1] !== '\n' ? '\n' : '';
  return text.slice(0, at) + gap + block + text.slice(at);
}

interface Block {
  from: number;
  to: number;
}

/** The lines of a key and its value, without the comments around them. */
function blockOf(document: Document, text: string, key: string): Block | null {
  const pair = isMap(document.contents) ? document.contents.items.find((item) => keyOf(item) === key) : undefined;
  const from = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  if (!pair || from === undefined) return null;
  const end = Math.max(endOf(pair), from + 1);
  if (text[end - 1] === '\n') return { from, to: end };
  const line = text.indexOf('\n', end);
  return { from, to: line === -1 ? text.length : line + 1 };
}

/** Where the last thing of a value ends; a block's own range takes in the comments that follow it. */
function endOf(node: unknown): number {
  if (isPair(node)) return Math.max(endOf(node.key), endOf(node.value));
  if (isCollection(node) && !node.flow) return endOf(node.items.at(-1));
  return (isCollection(node) || isScalar(node) || isAlias(node) ? node.range?.[1] : undefined) ?? 0;
}

function columnOf(pair: Pair, text: string): number {
  const from = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
  return from - (text.lastIndexOf('\n', from - 1) + 1);
}

/** A new key goes behind the last of those that usually stand before it. */
function roomFor(document: Document, text: string, key: string): number {
  const rank = KEY_ORDER.indexOf(key);
  const keys = isMap(document.contents) ? document.contents.items.map(keyOf) : [];
  const earlier = rank === -1 ? keys : keys.filter((name) => KEY_ORDER.indexOf(name) < rank && KEY_ORDER.includes(name));
  const last = earlier.toSorted((a, b) => KEY_ORDER.indexOf(a) - KEY_ORDER.indexOf(b)).at(-1);
  if (last !== undefined) return pastNotes(text, blockOf(document, text, last)?.to ?? text.length);
  const first = keys[0];
  return first === undefined ? text.length : (blockOf(document, text, first)?.from ?? text.length);
}

/** Indented comments below a block belong to it. */
function pastNotes(text: string, at: number): number {
  const [notes = ''] = /^(?:[^\S\n]+#[^\n]*(?:\n|$))*/.exec(text.slice(at)) ?? [];
  return at + notes.length;
}
