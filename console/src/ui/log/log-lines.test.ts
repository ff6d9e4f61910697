import { describe, expect, it, vi } from 'vitest';
import { containing, indexAtTime, LineBuffer, LineIndex, spansOf, tellsOfFailure, toLine } from './log-lines';
import { columnsOf, evenLayout, LINE_HEIGHT, WrappedLayout } from './log-lines-layout';

const line = (text: string, time = 0) => toLine(time, false, text);

describe('lines', () => {
  it('keep only what is left of a progress bar', () => {
    expect(line('1%\r2%\r3%').raw).toBe('3%');
  });

  it('of monstrous length are cut for drawing', () => {
    expect(line('x'.repeat(1_000_000)).raw.length).toBeLessThan(5000);
  });
});

describe('the line buffer', () => {
  it('tells its listeners once per frame, however many lines come', () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
    const buffer = new LineBuffer();
    const heard = vi.fn<() => void>();
    buffer.subscribe(heard);
    for (let index = 0; index < 1000; index += 1) buffer.append([line(`line ${index}`)]);
    expect(frames).toHaveLength(1);
    frames[0]!(0);
    expect(heard).toHaveBeenCalledOnce();
    expect(buffer.version).toBe(1);
    expect(buffer.lines).toHaveLength(1000);
  });

  it('lets the oldest lines go and moves the number of the first', () => {
    const buffer = new LineBuffer(1000);
    buffer.append(Array.from({ length: 1200 }, (_, index) => line(String(index))));
    expect(buffer.lines).toHaveLength(1000);
    expect(buffer.base).toBe(200);
    expect(buffer.lines[0]!.raw).toBe('200');
  });

  it('puts earlier lines in front without renumbering the others', () => {
    const buffer = new LineBuffer();
    buffer.append([line('b')]);
    expect(buffer.prepend([line('a')])).toBe(false);
    expect(buffer.lines.map(({ raw }) => raw)).toEqual(['a', 'b']);
    expect(buffer.base).toBe(-1);
  });

  it('lets the newest lines go when earlier ones fill it, and says so', () => {
    const buffer = new LineBuffer(3);
    buffer.append([line('c'), line('d')]);
    expect(buffer.prepend([line('a'), line('b')])).toBe(true);
    expect(buffer.lines.map(({ raw }) => raw)).toEqual(['a', 'b', 'c']);
  });

  it('never gives a number of before a reset to a line after it', () => {
    const buffer = new LineBuffer();
    buffer.append([line('a')]);
    const before = buffer.base;
    buffer.reset([line('b')]);
    buffer.prepend([line('c')]);
    expect(buffer.base).toBeGreaterThan(before);
  });
});

const odd = () => new LineIndex(({ raw }) => Number(raw) % 2 === 1);
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => line(String(from + index)));

describe('an index of lines', () => {
  it('looks at new lines only, at both ends', () => {
    const test = vi.fn<() => boolean>(() => true);
    const index = new LineIndex(test);
    index.update(numbers(0, 3), 0);
    index.update(numbers(0, 5), 0);
    index.update(numbers(-2, 5), -2);
    expect(test).toHaveBeenCalledTimes(7);
  });

  it('knows what joined and what left', () => {
    const index = odd();
    expect(index.update(numbers(0, 4), 0)).toEqual([1, 3]);
    expect(index.update(numbers(-3, 6), -3)).toEqual([1, 3, 5]);
    expect(index.update(numbers(2, 8), 2)).toEqual([3, 5, 7]);
    expect(index.update(numbers(2, 4), 2)).toEqual([3]);
  });

  it('begins anew with other lines', () => {
    const index = odd();
    index.update(numbers(0, 4), 0);
    expect(index.update(numbers(100, 104), 100)).toEqual([101, 103]);
  });

  it('of very many lines looks at some at a time, the newest first, and tells when it is through', () => {
    const test = vi.fn<(line: { raw: string }) => boolean>(({ raw }) => Number(raw) % 2 === 1);
    const index = new LineIndex(test);
    expect(index.update(numbers(0, 10), 0, 4)).toEqual([7, 9]);
    expect(index.complete).toBe(false);
    expect(index.update(numbers(0, 12), 0, 4)).toEqual([5, 7, 9, 11]);
    expect(index.update(numbers(0, 12), 0, 4)).toEqual([1, 3, 5, 7, 9, 11]);
    expect(index.complete).toBe(true);
    expect(test).toHaveBeenCalledTimes(12);
  });

  it('stays the same array while nothing is found', () => {
    const index = odd();
    const found = index.update(numbers(0, 4), 0);
    expect(index.update([...numbers(0, 4), line('4')], 0)).toBe(found);
  });
});

describe('searching', () => {
  it('ignores case and colours', () => {
    const test = containing('error');
    expect(['Epoch 1', '\u001B[31mERR\u001B[1mOR\u001B[0m: NaN', 'an error'].map((text) => test(line(text)))).toEqual([false, true, true]);
    expect(containing('')(line('anything'))).toBe(false);
  });

  it('marks every place in a line', () => {
    expect(spansOf('aAbaa', 'aa')).toEqual([
      [0, 2],
      [3, 5],
    ]);
  });

  it('finds a moment', () => {
    const lines = [0, 10, 10, 30].map((time) => line('x', time));
    expect([-5, 10, 11, 99].map((time) => indexAtTime(lines, time))).toEqual([0, 1, 3, 3]);
  });
});

describe('a line that tells of a failure', () => {
  it.each([
    'Traceback (most recent call last):',
    'ValueError: expected 3 channels',
    'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB',
    '[2026-05-01] ERROR worker died',
    'FATAL: cannot open file',
    'Segmentation fault (core dumped)',
    'epoch 3 loss nan',
    'step 12 | loss: NaN | lr 1e-4',
    'RuntimeError: the loss is not a number at step 20',
    'Build failed with 3 errors',
  ])('is: %s', (text) => {
    expect(tellsOfFailure(line(text))).toBe(true);
  });

  it.each([
    'epoch 3 loss 0.12',
    'finished with 0 errors',
    'no errors found',
    'val_error: 0.123',
    'error=0.5 accuracy=0.9',
    'passed=12 failed=0',
    'mean absolute error 0.031',
    'banana terror nandrolone',
  ])('is not: %s', (text) => {
    expect(tellsOfFailure(line(text))).toBe(false);
  });
});

describe('the layout', () => {
  it('of even lines is arithmetic', () => {
    const layout = evenLayout(10, 0);
    expect(layout.height).toBe(10 * LINE_HEIGHT);
    expect([0, 19, 20, 999].map((top) => layout.indexAt(top))).toEqual([0, 0, 1, 9]);
  });

  it('counts two columns for wide characters and eight for a tab', () => {
    expect(['abc', '训练', '\u001B[31mred\u001B[0m', 'a\tb', '😀'].map(columnsOf)).toEqual([3, 4, 3, 10, 2]);
  });

  it('of wrapped lines sums their rows', () => {
    const layout = new WrappedLayout().update(
      ['short', 'x'.repeat(25), ''].map((text) => line(text)),
      0,
      10,
    );
    expect(layout.height).toBe(5 * LINE_HEIGHT);
    expect([0, 1, 2, 3].map((index) => layout.topOf(index) / LINE_HEIGHT)).toEqual([0, 1, 4, 5]);
    expect([0, 25, 79, 80, 500].map((top) => layout.indexAt(top))).toEqual([0, 1, 1, 2, 2]);
  });

  it('of wrapped lines knows by how much lines that came or left in front moved the others', () => {
    const all = ['a'.repeat(15), 'b', 'c'.repeat(35), 'd'].map((text) => line(text));
    const layout = new WrappedLayout();
    const origins = [
      [0, 4],
      [2, 4],
      [2, 4],
      [1, 4],
      [0, 4],
    ].map(([from, to]) => layout.update(all.slice(from, to), from!, 10).origin / LINE_HEIGHT);
    expect(origins).toEqual([0, 3, 3, 2, 0]);
    expect(evenLayout(4, 7).origin).toBe(7 * LINE_HEIGHT);
  });

  it('follows lines that come and go at both ends, and other widths', () => {
    const all = ['a'.repeat(15), 'b', 'c'.repeat(35), 'd'].map((text) => line(text));
    const layout = new WrappedLayout();
    layout.update(all.slice(1, 3), 1, 10);
    expect(layout.height / LINE_HEIGHT).toBe(5);
    layout.update(all.slice(1), 1, 10);
    expect(layout.height / LINE_HEIGHT).toBe(6);
    layout.update(all, 0, 10);
    expect(layout.height / LINE_HEIGHT).toBe(8);
    layout.update(all, 0, 100);
    expect(layout.height / LINE_HEIGHT).toBe(4);
    layout.update(all.slice(2), 2, 10);
    expect(layout.height / LINE_HEIGHT).toBe(5);
  });
});
