import { describe, expect, it } from 'vitest';
import { listZones, matchesZone } from './zones';

const shanghai = { id: 'Asia/Shanghai', offset: 'GMT+8', name: 'China Standard Time' };
const newYork = { id: 'America/New_York', offset: 'GMT-5', name: 'Eastern Standard Time' };
const name = (locale: string) => listZones(locale).find(({ id }) => id === 'Asia/Shanghai')!.name;

describe('time zones', () => {
  it('are all the world’s, with UTC, each once', () => {
    const ids = listZones('en').map(({ id }) => id);
    expect(ids).toContain('UTC');
    expect(ids).toContain('Asia/Shanghai');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are named in the language of the page', () => {
    expect(name('en')).toBe('China Standard Time');
    expect(name('zh-CN')).toBe('中国标准时间');
  });

  it.each(['shang', 'asia china', 'gmt+8', 'UTC+8', ''])('are found by “%s”', (typed) => {
    expect(matchesZone(shanghai, typed)).toBe(true);
  });

  it('are found by a city of two words', () => {
    expect(matchesZone(newYork, 'new york')).toBe(true);
    expect(matchesZone(shanghai, 'new york')).toBe(false);
  });
});
