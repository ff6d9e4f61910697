/** Completion from the job file's JSON Schema: keys by indentation, values from enumerations. */
import type { Framework } from '@/api/frameworks';

export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  /** Of a mapping with keys of one's own: what they may be, and what they hold. */
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  enum?: unknown[];
  const?: unknown;
  type?: string;
  description?: string;
}

export interface Suggestion {
  label: string;
  apply: string;
  detail?: string;
}

export interface Suggestions {
  /** Where the word being completed begins. */
  from: number;
  options: Suggestion[];
}

const KEY = /^(\s*)((?:- +)*)([\w-]*)$/;
const VALUE = /^(\s*)((?:- +)*)([\w-]+):\s+([\w.-]*)$/;
const PARENT = /^(\s*)((?:- +)*)(?:([\w-]+):)?/;

/** The schema with what this server offers: the frameworks, and of the one that the text names its strategies and roles. */
export function offering(schema: JsonSchema, frameworks: readonly Framework[], text: string): JsonSchema {
  const word = (key: string) => new RegExp(`^${key}:[^\\S\\n]+([\\w.-]+)`, 'm').exec(text)?.[1];
  const framework = frameworks.find(({ name }) => name === word('framework'));
  const strategies = framework?.strategies ?? [];
  const strategy = strategies.find(({ name }) => name === word('strategy')) ?? strategies[0];
  const { RolePart } = schema.$defs ?? {};
  const named = (holder: JsonSchema | undefined, key: string, words: string[]): Record<string, JsonSchema> =>
    holder?.properties?.[key] && words.length > 0 ? { [key]: { ...holder.properties[key], enum: words } } : {};
  const roles = named(RolePart, 'name', framework && framework.name !== 'none' ? (strategy?.roles ?? []).map(({ name }) => name) : []);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      ...named(
        schema,
        'framework',
        frameworks.map(({ name }) => name),
      ),
      ...named(
        schema,
        'strategy',
        strategies.map(({ name }) => name).filter((name) => name !== ''),
      ),
    },
    ...(RolePart && { $defs: { ...schema.$defs, RolePart: { ...RolePart, properties: { ...RolePart.properties, ...roles } } } }),
  };
}

export function suggest(text: string, position: number, schema: JsonSchema): Suggestions | null {
  const before = text.slice(0, position).split('\n');
  const current = before.at(-1) ?? '';
  const value = VALUE.exec(current);
  if (value) {
    const [, indent = '', dashes = '', key = '', word = ''] = value;
    const path = pathTo(before.slice(0, -1), indent.length, dashes);
    const options = [...choices(descend(schema, [...path, key], schema), schema)];
    return listed(
      options.map((label) => ({ label, apply: label })),
      position - word.length,
    );
  }
  const match = KEY.exec(current);
  if (!match) return null;
  const [, indent = '', dashes = '', word = ''] = match;
  const path = pathTo(before.slice(0, -1), indent.length, dashes);
  const used = siblings(text.split('\n'), before.length - 1, indent.length + dashes.length);
  const options: Suggestion[] = [];
  for (const holder of descend(schema, path, schema)) {
    for (const [label, child] of Object.entries(holder.properties ?? {})) {
      if (used.has(label)) continue;
      const nested = variants(child, schema).some((variant) => variant.properties || variant.items || variant.propertyNames);
      options.push({ label, apply: nested ? `${label}:` : `${label}: `, detail: child.description?.split(/[.;]/)[0] ?? '' });
    }
    for (const label of holder.propertyNames ? choices([holder.propertyNames], schema) : []) {
      if (!used.has(label)) options.push({ label, apply: `${label}: ` });
    }
  }
  return listed(options, position - word.length);
}

function listed(options: Suggestion[], from: number): Suggestions | null {
  return options.length > 0 ? { from, options } : null;
}

/** The keys above a line at this indentation; "[]" stands for an item of a list. */
function pathTo(above: string[], indent: number, dashes: string): string[] {
  const path: string[] = dashes ? ['[]'] : [];
  let limit = indent;
  let inItem = dashes !== '';
  for (let index = above.length - 1; index >= 0 && (limit > 0 || inItem); index -= 1) {
    const line = above[index] ?? '';
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, space = '', marks = '', key] = PARENT.exec(line) ?? [];
    const column = space.length + marks.length;
    if (marks && space.length < limit && column <= limit && !inItem) {
      // Inside an item whose first key stands behind the dash.
      if (key && column < limit) path.unshift(key);
      path.unshift('[]');
      limit = space.length;
      inItem = true;
    } else if (key && !marks && (space.length < limit || (inItem && space.length <= limit))) {
      path.unshift(key);
      limit = space.length;
      inItem = false;
    }
  }
  return path;
}

/** Keys of the same mapping, which must not be offered again. */
function siblings(lines: string[], at: number, column: number): Set<string> {
  const found = new Set<string>();
  const scan = (step: 1 | -1) => {
    for (let index = at + step; index >= 0 && index < lines.length; index += step) {
      const line = lines[index] ?? '';
      if (line.trim() === '') continue;
      const [, space = '', marks = '', key] = PARENT.exec(line) ?? [];
      const keyColumn = space.length + marks.length;
      if (keyColumn < column || (marks && step === 1 && keyColumn === column)) return;
      if (keyColumn === column && key) found.add(key);
      if (marks && keyColumn === column) return;
    }
  };
  scan(-1);
  scan(1);
  return found;
}

/** All schemas that may describe what stands at a path. */
function descend(schema: JsonSchema, path: string[], root: JsonSchema): JsonSchema[] {
  let holders = variants(schema, root);
  for (const part of path) {
    holders = holders
      .map((holder) => (part === '[]' ? holder.items : (holder.properties?.[part] ?? holder.additionalProperties)))
      .filter((child): child is JsonSchema => typeof child === 'object')
      .flatMap((child) => variants(child, root));
  }
  return holders;
}

/** A schema with its references and alternatives opened. */
function variants(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  if (schema.$ref) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    return target ? variants(target, root, depth + 1) : [];
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => variants(part, root, depth + 1))];
}

function choices(holders: JsonSchema[], root: JsonSchema): Set<string> {
  const found = new Set<string>();
  for (const holder of holders.flatMap((schema) => variants(schema, root))) {
    for (const value of holder.enum ?? []) if (value !== null) found.add(String(value));
    if (holder.const !== undefined) found.add(String(holder.const));
    if (holder.type === 'boolean') for (const value of ['true', 'false']) found.add(value);
  }
  return found;
}
