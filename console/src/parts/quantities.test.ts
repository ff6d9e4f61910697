import { describe, expect, it } from 'vitest';
import { parseSize, parseTime, writeNumber, writeSize } from './quantities';

describe('sizes', () => {
  it.each([
    ['64GiB', 64 * 2 ** 30],
    ['512 MiB', 512 * 2 ** 20],
    ['100GB', 1e11],
    ['1.5T', 1.5 * 2 ** 40],
    ['7', 7],
    ['0B', 0],
  ])('%s is read', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'many', '8 GBs', '-1GiB', '1,5GiB'])('%j is none', (text) => {
    expect(parseSize(text)).toBeNull();
  });

  it('are written so that they read back', () => {
    for (const bytes of [64 * 2 ** 30, 2 ** 40, 512 * 2 ** 20, 1536 * 2 ** 20, 100]) expect(parseSize(writeSize(bytes))).toBe(bytes);
    expect(writeSize(64 * 2 ** 30)).toBe('64GiB');
  });
});

describe('times', () => {
  it.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['2d', 172_800_000],
    ['500ms', 500],
    ['1w', 604_800_000],
    ['1.5h', 5_400_000],
  ])('%s is read', (text, ms) => {
    expect(parseTime(text)).toBe(ms);
  });

  it.each(['', '90', 'h', '1 hour', '1h x', 60, undefined])('%j is none', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

describe('numbers', () => {
  it('are written as numbers, anything else as the text it is', () => {
    expect(['8', '0.5', ' 4 ', '0.', '.5', '-1', 'abc', '1e3', ''].map(writeNumber)).toEqual([8, 0.5, 4, 0, 0.5, -1, 'abc', '1e3', '']);
  });
});
