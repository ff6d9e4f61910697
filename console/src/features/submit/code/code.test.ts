import { describe, expect, it } from 'vitest';
import { chosen, walk } from './folder';
import { ignored, rulesIn } from './ignore';
import { header, pack } from './pack';
import { Sha256 } from './sha256';

const bytes = (text: string) => new TextEncoder().encode(text);
const tree = (files: Record<string, string>) =>
  chosen(
    Object.entries(files).map(([path, text]) =>
      Object.defineProperty(new File([text], path.split('/').at(-1)!), 'webkitRelativePath', { value: `proj/${path}` }),
    ),
  )!;

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['a'.repeat(1000), '41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3'],
  ])('of %s', (text, digest) => {
    const hash = new Sha256();
    for (let at = 0; at < text.length; at += 7) hash.add(bytes(text.slice(at, at + 7)));
    expect(hash.hex()).toBe(digest);
  });
});

describe('what is ignored', () => {
  it.each([
    ['*.pt', 'out/a.pt', false, true],
    ['/data', 'src/data', true, false],
    ['data/', 'src/data', true, true],
    ['data/', 'src/data', false, false],
    ['a/**/b', 'a/x/y/b', false, true],
    ['*.log\n!keep.log', 'keep.log', false, false],
    ['[ab].txt', 'c.txt', false, false],
    ['[!ab].txt', 'c.txt', false, true],
    ['# note', '# note', false, false],
    ['x\\*', 'xyz', false, false],
  ])('%j of %s', (rules, path, folder, expected) => {
    expect(ignored(rulesIn(rules, ''), path, folder)).toBe(expected);
  });

  it('is what the command line leaves out too', async () => {
    const { files, size, name } = await walk(
      tree({
        'train.py': 'print()',
        '.git/config': 'x',
        'node_modules/a.js': 'x',
        'lib/__pycache__/a.pyc': 'x',
        '.gitignore': '*.pt\n',
        'model.pt': 'x',
        'lib/.gitignore': 'big\n',
        'lib/big': 'x',
        'lib/a.py': 'aa',
      }),
    );
    expect([name, files.map(({ path }) => path)]).toEqual(['proj', ['.gitignore', 'lib/.gitignore', 'lib/a.py', 'train.py']]);
    expect(size).toBe(5 + 4 + 2 + 7);
  });
});

describe('the archive', () => {
  it('is the same for the same folder, and begins as gzip does', async () => {
    const folder = await walk(tree({ 'train.py': 'print()', 'run.sh': '#!/bin/sh' }));
    const seen: number[] = [];
    const packed = await pack(folder, (done) => seen.push(done), new AbortController().signal);
    const again = await pack(folder, () => undefined, new AbortController().signal);
    expect(packed.digest).toBe(again.digest);
    expect([...new Uint8Array(await packed.body.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    expect(seen.at(-1)).toBe(folder.size);
  });

  it('gives long and foreign names a header of their own', () => {
    expect(header('a.py', 1, 0o644)).toHaveLength(512);
    expect(header('模型.py', 1, 0o644)).toHaveLength(3 * 512);
    expect(new TextDecoder().decode(header('模型.py', 1, 0o644).subarray(512, 532))).toMatch(/^18 path=模型.py\n/);
  });
});
