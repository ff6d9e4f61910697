import { describe, expect, it, vi } from 'vitest';
import { findMatches, LineBuffer, MOST_LINES, spansOf, toLine } from './log-lines';

const line = (text: string) => toLine(0, false, text);

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

  it('lets the oldest lines go and remembers how many', () => {
    const buffer = new LineBuffer();
    const one = line('x');
    buffer.append(Array.from({ length: MOST_LINES * 1.2 }, () => one));
    expect(buffer.lines).toHaveLength(MOST_LINES);
    expect(buffer.dropped).toBe(MOST_LINES * 0.2);
  });

  it('puts earlier lines in front', () => {
    const buffer = new LineBuffer();
    buffer.reset([line('b')]);
    buffer.prepend([line('a')]);
    expect(buffer.lines.map(({ raw }) => raw)).toEqual(['a', 'b']);
  });
});

describe('searching', () => {
  it('ignores case and colours', () => {
    const lines = [line('Epoch 1'), line('\u001B[31mERROR\u001B[0m: NaN'), line('an error')];
    expect(findMatches(lines, 'error')).toEqual([1, 2]);
    expect(findMatches(lines, 'error', 2)).toEqual([2]);
    expect(findMatches(lines, '')).toEqual([]);
  });

  it('marks every place in a line', () => {
    expect(spansOf('aAbaa', 'aa')).toEqual([[0, 2], [3, 5]]);
  });
});
