import { describe, expect, it } from 'vitest';
import { MOST_IMAGE, previewOf } from './preview';

const bytes = (text: string) => new TextEncoder().encode(text);
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

describe('previewOf', () => {
  it('takes an image for what its first bytes say, not its name', () => {
    expect(previewOf('loss.txt', 9, PNG)).toEqual({ kind: 'image', type: 'image/png' });
    expect(previewOf('page.png', 30, bytes('<script>alert(1)</script>')).kind).toBe('text');
    expect(previewOf('drawing.svg', 30, bytes('<svg onload="x()"/>')).kind).toBe('text');
  });

  it('shows no image that is too large to be read whole', () => {
    expect(previewOf('big.png', MOST_IMAGE + 1, PNG)).toEqual({ kind: 'binary' });
  });

  it('shows text, but for a character that the cut went through', () => {
    const start = bytes('损失').subarray(0, 5);
    expect(previewOf('a.md', 6, start)).toEqual({ kind: 'text', text: '损', cut: true });
    expect(previewOf('a.bin', 3, new Uint8Array([65, 0, 66]))).toEqual({ kind: 'binary' });
    expect(previewOf('a.bin', 3, new Uint8Array([0xff, 0xfe, 65]))).toEqual({ kind: 'binary' });
  });

  it('spreads JSON that is there whole, and leaves what is none', () => {
    expect(previewOf('a.json', 7, bytes('{"a":1}'))).toMatchObject({ text: '{\n  "a": 1\n}' });
    expect(previewOf('a.json', 4, bytes('{"a"'))).toMatchObject({ text: '{"a"' });
  });

  it('reads rows with quotes, separators and line breaks in cells', () => {
    const text = 'step,note\r\n1,"a, ""b""\nc"\n';
    expect(previewOf('log.csv', text.length, bytes(text))).toEqual({
      kind: 'table',
      rows: [
        ['step', 'note'],
        ['1', 'a, "b"\nc'],
      ],
      cut: false,
    });
  });

  it('leaves out the row that the cut went through, and all beyond the first', () => {
    expect(previewOf('a.tsv', 99, bytes('1\t2\n3\t'))).toEqual({ kind: 'table', rows: [['1', '2']], cut: true });
    const many = bytes(Array.from({ length: 500 }, (_, row) => `${row},x`).join('\n'));
    expect(previewOf('a.csv', many.length, many)).toMatchObject({ kind: 'table', cut: true });
  });
});
