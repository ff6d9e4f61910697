import { describe, expect, it } from 'vitest';
import { activateLocale, translate } from '@/app/i18n';
import { formatAgo, formatBytes, formatCount, formatDuration, ranges } from './format';

describe('sizes', () => {
  it.each([
    [512, '512 B'],
    [1536, '1.5 KiB'],
    [64 * 1024 ** 3, '64 GiB'],
    [1024 ** 4, '1 TiB'],
  ])('%i bytes are %s', (bytes, words) => {
    expect(formatBytes(bytes)).toBe(words);
  });

  it('keep thousandths of a GPU and no more', () => {
    expect(formatCount(0.5)).toBe('0.5');
    expect(formatCount(0.1 + 0.2)).toBe('0.3');
    expect(formatCount(8)).toBe('8');
  });

  it('join neighbouring indices', () => {
    expect(ranges([0, 1, 2, 5, 7, 6])).toBe('0–2, 5–7');
    expect(ranges([3])).toBe('3');
    expect(ranges([])).toBe('');
  });
});

describe('durations', () => {
  it.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m'],
    [750, '12m 30s'],
    [7500, '2h 5m'],
    [86_400 * 3 + 4 * 3600, '3d 4h'],
    [86_400 + 59, '1d'],
    [-5, '0s'],
  ])('%i seconds are %s', (seconds, words) => {
    expect(formatDuration(seconds, translate)).toBe(words);
  });

  it('speak Chinese too', async () => {
    await activateLocale('zh-CN');
    expect(formatDuration(7500, translate)).toBe('2小时5分');
  });
});

describe('relative times', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  it.each([
    [10, 'just now'],
    [60, '1 min. ago'],
    [3599, '59 min. ago'],
    [7200, '2 hr. ago'],
    [86_400 * 3, '3 days ago'],
  ])('%i seconds before now', (seconds, words) => {
    expect(formatAgo(now - seconds * 1000, now, 'en', translate)).toBe(words);
  });
});
