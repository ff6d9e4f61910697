import { describe, expect, it } from 'vitest';
import { pixelsOf } from './pixels';
import { MOST_IMAGE, previewOf } from './preview';

const bytes = (text: string) => new TextEncoder().encode(text);
const of = (name: string, start: Uint8Array<ArrayBuffer>, size = start.length, type = 'application/octet-stream') =>
  previewOf(name, { bytes: start, size, type });
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('previewOf', () => {
  it('takes an image for what its first bytes say, not its name', () => {
    expect(of('loss.txt', PNG, 9, 'image/png')).toEqual({ kind: 'image', type: 'image/png' });
    expect(of('page.png', bytes('<script>alert(1)</script>'), 30).kind).toBe('text');
    expect(of('drawing.svg', bytes('<svg onload="x()"/>'), 30).kind).toBe('text');
  });

  it('shows no image that is too large to be read whole', () => {
    expect(of('big.png', PNG, MOST_IMAGE + 1, 'image/png')).toEqual({ kind: 'tooLarge' });
  });

  it('shows no image that unfolds to more pixels than a browser likes', () => {
    const bomb = new Uint8Array([...PNG.subarray(0, 8), 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    expect(of('bomb.png', bomb, 900, 'image/png')).toEqual({ kind: 'tooLarge' });
    expect(pixelsOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 1, 0, 2, 0]), 'image/jpeg')).toEqual([
      512, 256,
    ]);
    expect(pixelsOf(new Uint8Array([0xff, 0xd8, 0xff]), 'image/jpeg')).toBeNull();
  });

  it('plays sound and film, and opens notebooks', () => {
    expect(of('a.bin', bytes('RIFF'), 9e9, 'audio/wav')).toEqual({ kind: 'sound' });
    expect(of('a.bin', bytes('?'), 9e9, 'video/webm')).toEqual({ kind: 'film' });
    expect(of('a.ipynb', bytes('{'), 9)).toEqual({ kind: 'notebook' });
    expect(of('a.ipynb', bytes('{'), 9e9)).toMatchObject({ kind: 'text' });
  });

  it('shows text, but for a character that the cut went through', () => {
    const start = bytes('损失').subarray(0, 5);
    expect(of('a.md', start, 6)).toEqual({ kind: 'text', text: '损', cut: true });
    expect(of('a.bin', new Uint8Array([65, 0, 66]), 3)).toEqual({ kind: 'binary' });
    expect(of('a.bin', new Uint8Array([0xff, 0xfe, 65]), 3)).toEqual({ kind: 'binary' });
  });

  it('spreads JSON that is there whole, and leaves what is none', () => {
    expect(of('a.json', bytes('{"a":1}'), 7)).toMatchObject({ text: '{\n  "a": 1\n}' });
    expect(of('a.json', bytes('{"a"'), 4)).toMatchObject({ text: '{"a"' });
  });

  it('reads rows with quotes, separators and line breaks in cells', () => {
    const text = 'step,note\r\n1,"a, ""b""\nc"\n';
    expect(of('log.csv', bytes(text), text.length)).toEqual({
      kind: 'table',
      rows: [
        ['step', 'note'],
        ['1', 'a, "b"\nc'],
      ],
      cut: false,
    });
  });

  it('leaves out the row that the cut went through, and all beyond the first', () => {
    expect(of('a.tsv', bytes('1\t2\n3\t'), 99)).toEqual({ kind: 'table', rows: [['1', '2']], cut: true });
    const many = bytes(Array.from({ length: 500 }, (_, row) => `${row},x`).join('\n'));
    expect(of('a.csv', many, many.length)).toMatchObject({ kind: 'table', cut: true });
  });
});
