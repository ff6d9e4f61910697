/** The catalogs are complete: same keys and parameters in both languages, none missing in the code, none unused. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..');
const read = (locale: string) => JSON.parse(readFileSync(join(import.meta.dirname, `${locale}.json`), 'utf8')) as Record<string, string>;
const en = read('en');
const zh = read('zh-CN');

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
  .map((path) => readFileSync(join(SOURCE, path), 'utf8'));
const code = files.join('\n');

/** The names in braces, at any depth. */
function parameters(message: string): string[] {
  return [...new Set([...message.matchAll(/\{(\w+)(?=[,}])/g)].map((match) => match[1]!))].sort();
}

describe('catalogs', () => {
  it('have the same keys in both languages', () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en));
  });

  it('are sorted, so that two people adding words do not collide', () => {
    expect(Object.keys(en)).toEqual(Object.keys(en).toSorted());
  });

  it('take no parameter in one language that the other does not know', () => {
    const strange = Object.keys(en).filter((key) => parameters(zh[key]!).some((name) => !parameters(en[key]!).includes(name)));
    expect(strange).toEqual([]);
  });

  it('hold no key that the code does not use', () => {
    const unused = Object.keys(en).filter((key) => !code.includes(`'${key}'`));
    expect(unused).toEqual([]);
  });

  it('hold every key that the code uses', () => {
    const used = [...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map((match) => match[1]!);
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((key) => !(key in en))).toEqual([]);
  });

  it('leave no Chinese message in English, apart from names and units', () => {
    const same = Object.keys(en).filter((key) => en[key] === zh[key]);
    expect(same).toEqual(['nodes.cpu', 'size.cpus', 'size.gpu', 'submit.keys']);
  });

  it('leave no bare words in the pages', () => {
    const bare = files.flatMap((text) => [...text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g)].map((match) => match[1]!));
    expect(bare).toEqual([]);
  });
});
