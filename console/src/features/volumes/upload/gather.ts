/** The files that somebody chose or dropped, folders with all that is in them, each with the way to it. */

export interface Gathered {
  /** As the server spells it, from the folder that it is put into. */
  way: string;
  file: File;
}

/** A name as the server spells it: `%` and what cannot be printed become %XX. */
export function spelled(name: string): string {
  return [...name].map((char) => (/[%\p{C}\p{Zl}\p{Zp}]/u.test(char) ? escaped(char) : char)).join('');
}

const escaped = (char: string): string =>
  Array.from(new TextEncoder().encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const spelledWay = (way: string): string => way.split('/').map(spelled).join('/');

/** From a file or folder picker. */
export function chosenFiles(files: Iterable<File>): Gathered[] {
  return Array.from(files, (file) => ({ way: spelledWay(file.webkitRelativePath || file.name), file }));
}

/** What was dropped. The entries are asked for while the drop is handled: later the browser has forgotten them. */
export function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Promise<Gathered[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return entries.length > 0 ? inside(entries) : Promise.resolve(chosenFiles(files));
}

async function inside(entries: FileSystemEntry[]): Promise<Gathered[]> {
  const found: Gathered[] = [];
  const waiting = [...entries];
  while (waiting.length > 0) {
    const entry = waiting.pop()!;
    // oxlint-disable no-await-in-loop -- a folder of a million files is not opened at once
    if (entry.isDirectory) waiting.push(...(await listed(entry as FileSystemDirectoryEntry)));
    else found.push({ way: spelledWay(entry.fullPath.replace(/^\//, '')), file: await fileOf(entry as FileSystemFileEntry) });
    // oxlint-enable no-await-in-loop
  }
  return found.sort((a, b) => (a.way < b.way ? -1 : 1));
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, fail) => entry.file(done, fail));

async function listed(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a hundred at a time
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return found;
    found.push(...some);
  }
}
