/** The files of a folder that somebody dropped or chose, without what is no code. */
import { defaultRules, ignored, rulesIn } from './ignore';
import type { IgnoreRule } from './ignore';

/** As the command line bounds it. */
export const MOST_BYTES = 512 * 2 ** 20;
export const MOST_FILES = 100_000;

export interface CodeFile {
  path: string;
  file: File;
}

export interface CodeFolder {
  name: string;
  files: CodeFile[];
  size: number;
}

export class TooMuch extends Error {
  readonly files: number;
  readonly size: number;
  constructor(files: number, size: number) {
    super('the folder is too large');
    this.files = files;
    this.size = size;
  }
}

/** A folder as the browser gives it: names, and what is in it when asked. */
export interface Node {
  name: string;
  file?: () => Promise<File>;
  list?: () => Promise<Node[]>;
}

export async function walk(folder: Node): Promise<CodeFolder> {
  const files: CodeFile[] = [];
  let size = 0;
  const waiting: { node: Node; prefix: string; rules: IgnoreRule[] }[] = [{ node: folder, prefix: '', rules: defaultRules() }];
  while (waiting.length > 0) {
    const { node, prefix, rules: above } = waiting.pop()!;
    // oxlint-disable-next-line no-await-in-loop -- what a folder ignores holds for what is in it
    const inside = await node.list!();
    const said = inside.find(({ name, file }) => name === '.gitignore' && file);
    // oxlint-disable-next-line no-await-in-loop
    const rules = said ? [...above, ...rulesIn(await (await said.file!()).text(), prefix)] : above;
    for (const one of inside) {
      const path = prefix + one.name;
      if (ignored(rules, path, one.list !== undefined)) continue;
      if (one.list) waiting.push({ node: one, prefix: `${path}/`, rules });
      else {
        // oxlint-disable-next-line no-await-in-loop
        const file = await one.file!();
        files.push({ path, file });
        size += file.size;
        if (files.length > MOST_FILES || size > MOST_BYTES) throw new TooMuch(files.length, size);
      }
    }
  }
  // In one order, so that the same folder is the same archive; by bytes would be the same for all but rare characters.
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { name: folder.name, files, size };
}

/** What was dropped, if it is one folder. To be asked while the drop is handled: later the browser has forgotten it. */
export function dropped(items: DataTransferItemList): Node | undefined {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return entries.length === 1 && entries[0]!.isDirectory ? ofEntry(entries[0]!) : undefined;
}

function ofEntry(entry: FileSystemEntry): Node {
  if (!entry.isDirectory)
    return { name: entry.name, file: () => new Promise((done, fail) => (entry as FileSystemFileEntry).file(done, fail)) };
  const list = async () => {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const found: FileSystemEntry[] = [];
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a hundred at a time
      const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (some.length === 0) return found.map(ofEntry);
      found.push(...some);
    }
  };
  return { name: entry.name, list };
}

/** What a folder picker gives: files with their paths, of which the first part is the folder's own name. */
export function chosen(files: readonly File[]): Node | undefined {
  const root = new Map<string, unknown>();
  let name: string | undefined;
  for (const file of files) {
    const [top, ...steps] = file.webkitRelativePath.split('/');
    name ??= top;
    let at = root;
    for (const step of steps.slice(0, -1)) {
      if (!at.has(step)) at.set(step, new Map<string, unknown>());
      at = at.get(step) as Map<string, unknown>;
    }
    at.set(steps.at(-1)!, file);
  }
  return name === undefined ? undefined : ofTree(name, root);
}

function ofTree(name: string, tree: Map<string, unknown>): Node {
  const list = async () =>
    [...tree].map(([inner, one]): Node => (one instanceof Map ? ofTree(inner, one) : { name: inner, file: async () => one as File }));
  return { name, list };
}
