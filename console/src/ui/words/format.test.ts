import { describe, expect, it } from 'vitest';
import { activateLocale, translate } from '@/app/i18n';
import { browserTimeZone, chooseTimeZone } from '@/app/time-zone';
import { formatAgo, formatBytes, formatClock, formatCount, formatDuration, formatExact, formatZoned, ranges } from './format';

describe('sizes', () => {
  it.each([
    [512, '512 B'],
    [1536, '1.5 KiB'],
    [64 * 1024 ** 3, '64 GiB'],
    [1024 ** 4, '1 TiB'],
    [1024 ** 4 - 1.2 * 1024 ** 2, '1 TiB'],
    [1024 ** 3 - 1, '1 GiB'],
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
    [0, '0s', '0 秒'],
    [59, '59s', '59 秒'],
    [60, '1m', '1 分钟'],
    [750, '12m 30s', '12 分钟 30 秒'],
    [7500, '2h 5m', '2 小时 5 分钟'],
    [86_400 * 3 + 4 * 3600, '3d 4h', '3 天 4 小时'],
    [86_400 + 59, '1d', '1 天'],
    [-5, '0s', '0 秒'],
  ])('%i seconds are %s', async (seconds, english, chinese) => {
    expect(formatDuration(seconds, translate)).toBe(english);
    await activateLocale('zh-CN');
    expect(formatDuration(seconds, translate)).toBe(chinese);
  });
});

describe('relative times', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  it.each([
    [-10, 'just now', '刚刚'],
    [-60, '1m ago', '1 分钟前'],
    [-3599, '59m ago', '59 分钟前'],
    [-7200, '2h ago', '2 小时前'],
    [-86_400 * 3, '3d ago', '3 天前'],
    [-86_400 * 70, '2mo ago', '2 个月前'],
    [-86_400 * 800, '2y ago', '2 年前'],
    [3, 'just now', '刚刚'],
    [30, 'in a moment', '马上'],
    [600, 'in 10m', '10 分钟后'],
  ])('%i seconds from now are %s', async (seconds, english, chinese) => {
    expect(formatAgo(now + seconds * 1000, now, translate)).toBe(english);
    await activateLocale('zh-CN');
    expect(formatAgo(now + seconds * 1000, now, translate)).toBe(chinese);
  });
});

describe('exact times', () => {
  const then = Date.parse('2026-05-01T22:05:09.042Z');

  it('are in the zone that is asked for', () => {
    expect(formatExact(then, 'en', 'UTC')).toBe('May 1, 2026, 22:05:09');
    expect(formatExact(then, 'en', 'Asia/Shanghai')).toBe('May 2, 2026, 06:05:09');
    expect(formatExact(then, 'zh-CN', 'Asia/Shanghai')).toBe('2026年5月2日 06:05:09');
  });

  it('name the zone where one must be certain', () => {
    expect(formatZoned(then, 'en', 'Asia/Shanghai')).toBe('May 2, 2026, 06:05:09 GMT+8');
    expect(formatZoned(then, 'zh-CN', 'UTC')).toContain('UTC');
  });

  it('of log lines have milliseconds and follow the zone', () => {
    expect(formatClock(then, 'UTC')).toBe('22:05:09.042');
    expect(formatClock(then, 'Asia/Kolkata')).toBe('03:35:09.042');
    expect(formatClock(Date.parse('2026-05-01T00:00:00Z'), 'UTC')).toBe('00:00:00.000');
  });

  it('are in the chosen zone when none is asked for', () => {
    chooseTimeZone('Asia/Tokyo');
    expect(formatClock(then)).toBe('07:05:09.042');
    chooseTimeZone('Nowhere/Else');
    expect(formatExact(then, 'en')).toBe(formatExact(then, 'en', browserTimeZone()));
    chooseTimeZone(null);
  });
});
