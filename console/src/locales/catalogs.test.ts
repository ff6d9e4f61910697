/** The catalogs are complete: same keys and parameters in both languages, none missing in the code, none unused. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Feature } from '@/app/feature';

const SOURCE = join(import.meta.dirname, '..');
const areasOf = (locale: string) =>
  readdirSync(join(import.meta.dirname, locale), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();
const read = (locale: string, area: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, locale, area), 'utf8')) as Record<string, string>;
const areas = areasOf('en');
const all = (locale: string): Record<string, string> => Object.assign({}, ...areas.map((area) => read(locale, area)));
const keysOf = (locale: string) => areas.map((area) => Object.keys(read(locale, area)));
const en = all('en');
const zh = all('zh-CN');

const paths = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path),
);
const files = paths.map((path) => readFileSync(join(SOURCE, path), 'utf8'));
const code = files.join('\n');

/** Each page that a feature declares, by the path of its manifest. */
const manifests = import.meta.glob<Feature>('../features/*/manifest.ts', { eager: true, import: 'default' });
const said = Object.entries(manifests).flatMap(([path, { pages }]) => pages.map((page) => [path.slice('../'.length), page] as const));

const NAMES_AND_UNITS = new Set(['nodes.cpu', 'packages.conda', 'size.cpus', 'size.gpu', 'storage.nfs', 'transfers.sha256']);

/** The names in braces, at any depth. */
function parameters(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)(?=[,}])/g)].map((match) => match[1]!))].sort();
}

describe('catalogs', () => {
  it('have the same files and the same keys in both languages', () => {
    expect(areasOf('zh-CN')).toEqual(areas);
    expect(keysOf('zh-CN')).toEqual(keysOf('en'));
  });

  it('are sorted, so that two people adding words do not collide', () => {
    expect(keysOf('en')).toEqual(keysOf('en').map((keys) => keys.toSorted()));
  });

  it('say each thing once', () => {
    const keys = keysOf('en').flat();
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('take no parameter in one language that the other does not know', () => {
    const strange = Object.keys(en).filter((key) => parameters(zh[key]!).some((name) => !parameters(en[key]!).includes(name)));
    expect(strange).toEqual([]);
  });

  it('hold no key that the code does not use', () => {
    const unused = Object.keys(en).filter((key) => ![`'${key}'`, `"${key}"`].some((used) => code.includes(used)));
    expect(unused).toEqual([]);
  });

  it('hold every key that the code uses', () => {
    const used = [...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map((match) => match[1]!);
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((key) => !(key in en))).toEqual([]);
  });

  it('leave no Chinese message in English, apart from names and units', () => {
    const same = Object.keys(en).filter((key) => en[key] === zh[key]);
    expect(same.filter((key) => !NAMES_AND_UNITS.has(key))).toEqual([]);
  });

  it('keep the words of the pages where one governs to these pages, which wait for them', () => {
    const folders = new Set(said.filter(([, page]) => page.words === 'governing').map(([path]) => path.split('/')[1]!));
    expect(folders.size).toBeGreaterThan(5);
    const pages = new RegExp(`^features/(${[...folders].join('|')})/|^parts/(people|requests|roster|trends)/`);
    const words = areas.filter((area) => area.startsWith('governing/')).flatMap((area) => Object.keys(read('en', area)));
    expect(words.length).toBeGreaterThan(100);
    const strange = paths.flatMap((path, at) =>
      pages.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    const bare = said.filter(([path, { words: waits }]) => pages.test(path) && waits !== 'governing');
    expect(bare.map(([, { name }]) => name)).toEqual([]);
  });

  it('keep the words about machines to the pages that wait for them', () => {
    const words = areas.filter((area) => area.startsWith('machines/')).flatMap((area) => Object.keys(read('en', area)));
    expect(words.length).toBeGreaterThan(100);
    const written = /^(features\/(nodes|clusters|pools)|parts\/machines)\//;
    const strange = paths.flatMap((path, at) =>
      written.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    const bare = said.filter(([path, { words: waits }]) => written.test(path) && waits !== 'machines');
    expect(bare.map(([, { name }]) => name)).toEqual([]);
  });

  it('keep the words of what a training tells to the parts that wait for them', () => {
    const words = areas.filter((area) => area.startsWith('training/')).flatMap((area) => Object.keys(read('en', area)));
    // The page that compares jobs waits as a whole.
    expect(said.find(([path]) => path.startsWith('features/compare/'))?.[1].words).toBe('training');
    const waiting = /^(features\/(job\/training|compare)|parts\/metrics)\//;
    const strange = paths.flatMap((path, at) =>
      waiting.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    const imports = files.flatMap((text, at) =>
      waiting.test(paths[at]!) ? [] : [...text.matchAll(/(training\(\(\) => import\()?'(?:\.|@\/features\/job)\/training\/\w+'/g)],
    );
    expect(imports.length).toBeGreaterThan(3);
    expect(imports.filter(([, waited]) => !waited).map(([text]) => text)).toEqual([]);
  });

  it('keep the words about volumes and files to what waits for them', () => {
    const words = areas.filter((area) => area.startsWith('data/')).flatMap((area) => Object.keys(read('en', area)));
    expect(words.length).toBeGreaterThan(100);
    const written = /^(features\/(volumes|transfers|datasets|job\/files)|parts\/(datasets|files|sharing|trash))\//;
    const strange = paths.flatMap((path, at) =>
      written.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    const bare = said.filter(([path, { words: waits }]) => /^features\/(volumes|transfers|datasets)\//.test(path) && waits !== 'data');
    expect(bare.map(([, { name }]) => name)).toEqual([]);
  });

  it('keep the words of writing a job to the pages that wait for them', () => {
    const words = areas.filter((area) => area.startsWith('composing/')).flatMap((area) => Object.keys(read('en', area)));
    expect(words.length).toBeGreaterThan(100);
    // The form of a template is a part; whoever shows it waits for its words.
    const written = /^(features\/(submit|templates)\/|parts\/jobs\/TemplateForm)/;
    const strange = paths.flatMap((path, at) =>
      written.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    const waiting = said.filter(([path]) => written.test(path)).map(([, page]) => page.words);
    expect(waiting).toEqual(['composing', 'composing', 'composing']);
  });

  it.each([
    ['job', /^features\/job\//, ['job']],
    ['queueing', /^features\/(queue|scores)\//, ['queueing', 'queueing', 'queueing']],
  ])('keep the words of %s to the pages that wait for them', (catalog, written, waits) => {
    const words = areas.filter((area) => area.startsWith(`${catalog}/`)).flatMap((area) => Object.keys(read('en', area)));
    expect(words.length).toBeGreaterThan(100);
    const strange = paths.flatMap((path, at) =>
      written.test(path) ? [] : words.filter((key) => files[at]!.includes(`'${key}'`)).map((key) => `${path}: ${key}`),
    );
    expect(strange).toEqual([]);
    expect(said.filter(([path]) => written.test(path)).map(([, page]) => page.words)).toEqual(waits);
  });

  it('leave no bare words in the pages', () => {
    const bare = files.flatMap((text) => [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g)].map((match) => match[1]!));
    expect(bare).toEqual([]);
  });
});
