/**
 * Markdown, as far as cards of datasets need it: headings, lists, tables, quotes, code, links. It becomes plain data: there is no
 * way for it to hold HTML, and of images only their words remain.
 */

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; inside: Inline[] }
  | { kind: 'link'; to: string; inside: Inline[] };

export type Block =
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])\s+(.*)$/;
const DIVIDER = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;
/** Deeper than anybody writes; what is deeper stays text. */
const DEEPEST = 8;

export function parseMarkdown(text: string): Block[] {
  return blocksOf(text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').split('\n'), 0);
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    const [block, next] = line.trim() === '' ? [null, at + 1] : blockAt(lines, at, depth);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The block that begins at a line, and where the next one begins. */
function blockAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  const line = lines[at]!;
  const heading = HEADING.exec(line);
  if (heading) return [{ kind: 'heading', level: heading[1]!.length, inside: inline(heading[2]!) }, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1];
  if (depth < DEEPEST && QUOTE.test(line)) return quoted(lines, at, depth);
  if (depth < DEEPEST && ITEM.test(line)) return listed(lines, at, depth);
  if (line.includes('|') && DIVIDER.test(lines[at + 1] ?? '')) return table(lines, at);
  let end = at + 1;
  while (end < lines.length && !endsParagraph(lines[end]!)) end += 1;
  const text = lines
    .slice(at, end)
    .map((each) => each.trim())
    .join(' ');
  return [{ kind: 'paragraph', inside: inline(text) }, end];
}

const endsParagraph = (line: string): boolean =>
  line.trim() === '' || HEADING.test(line) || FENCE.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);

function fenced(lines: readonly string[], at: number): [Block, number] {
  const fence = FENCE.exec(lines[at]!)![1]!;
  let end = at + 1;
  while (end < lines.length && !(lines[end]!.trim().startsWith(fence) && FENCE.test(lines[end]!))) end += 1;
  return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

function quoted(lines: readonly string[], at: number, depth: number): [Block, number] {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end]!)) end += 1;
  const inside = lines.slice(at, end).map((each) => each.replace(QUOTE, ''));
  return [{ kind: 'quote', blocks: blocksOf(inside, depth + 1) }, end];
}

/** An item goes on in the lines that are indented below it. */
function listed(lines: readonly string[], at: number, depth: number): [Block, number] {
  const first = ITEM.exec(lines[at]!)!;
  const ordered = first[3] !== undefined;
  const items: string[][] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end]!;
    const item = ITEM.exec(line);
    if (item && !RULE.test(line) && (item[3] !== undefined) === ordered && item[1]!.length <= first[1]!.length + 1) items.push([item[4]!]);
    else if (/^ {2,}\S/.test(line)) items.at(-1)!.push(line.replace(/^ {2,4}/, ''));
    else if (line.trim() === '' && /^ {2,}\S/.test(lines[end + 1] ?? '')) items.at(-1)!.push('');
    else break;
  }
  const start = Number(first[3] ?? 1);
  return [{ kind: 'list', ordered, start, items: items.map((each) => blocksOf(each, depth + 1)) }, end];
}

function table(lines: readonly string[], at: number): [Block, number] {
  let end = at + 2;
  while (end < lines.length && lines[end]!.includes('|')) end += 1;
  const [head = [], ...rows] = [lines[at]!, ...lines.slice(at + 2, end)].map(cells);
  return [{ kind: 'table', head, rows: rows.map((row) => head.map((_, column) => row[column] ?? [])) }, end];
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inline(cell.trim()));

/** In this order: code first, for what is in it means nothing. */
const MARKS =
  /(?<code>`+)(?<coded>[^`]+)\k<code>|!\[(?<words>[^\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)|\[(?<label>[^[\]]+)\]\((?<to>[^()\s]+)(?:\s+"[^"]*")?\)|<(?<bare>https?:\/\/[^\s<>]+)>|\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*\s][^*]*)\*|\\(?<escaped>[!-/:-@[-`{-~])/;

function inline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  let rest = text;
  while (rest !== '') {
    const match = depth < DEEPEST ? MARKS.exec(rest) : null;
    const before = rest.slice(0, match?.index ?? rest.length);
    if (before !== '') found.push({ kind: 'text', text: before });
    if (!match) break;
    found.push(meant(match.groups!, depth));
    rest = rest.slice(match.index + match[0].length);
  }
  return found;
}

function meant(groups: Record<string, string | undefined>, depth: number): Inline {
  const { coded, words, label, to, bare, strong, em, escaped } = groups;
  if (coded !== undefined) return { kind: 'code', text: coded.trim() };
  if (words !== undefined) return { kind: 'text', text: words };
  if (label !== undefined) return linked(to!, inline(label, depth + 1));
  if (bare !== undefined) return linked(bare, [{ kind: 'text', text: bare }]);
  if (strong !== undefined) return { kind: 'strong', inside: inline(strong, depth + 1) };
  if (em !== undefined) return { kind: 'em', inside: inline(em, depth + 1) };
  return { kind: 'text', text: escaped! };
}

/** Only to the web and to mail: whatever else an address could do, it does not here. */
function linked(to: string, inside: Inline[]): Inline {
  return /^(https?:\/\/|mailto:)/i.test(to) ? { kind: 'link', to, inside } : { kind: 'em', inside };
}
