import { beforeEach, describe, expect, it, vi } from 'vitest';

const ofPart = { composing: 'framework.title', governing: 'audit.title', training: 'attempts.saved' } as const;

let words: typeof import('./i18n');

beforeEach(async () => {
  vi.resetModules();
  words = await import('./i18n');
});

describe('words of a part', () => {
  // However far the switch has come when the part is asked for.
  it.each(
    Object.entries(ofPart).flatMap(([part, key]) => [0, 1, 5, 20].map((ticks) => [part as keyof typeof ofPart, key, ticks] as const)),
  )('are there when the language changes while %s loads (%s, %d ticks)', async (part, key, ticks) => {
    await words.activateLocale('zh-CN');
    const switching = words.activateLocale('en');
    await Array.from({ length: ticks }).reduce<Promise<void>>((before) => before.then(() => undefined), Promise.resolve());
    await Promise.all([words.withWords(part, () => Promise.resolve()), switching]);
    expect(document.documentElement.lang).toBe('en');
    expect(words.translate(key)).not.toBe(key);
  });

  it('are there when the part is asked for first', async () => {
    await words.activateLocale('zh-CN');
    await Promise.all([words.training(() => Promise.resolve()), words.activateLocale('en')]);
    expect(words.translate('attempts.saved')).not.toBe('attempts.saved');
  });
});

describe('a language', () => {
  it('that was chosen last stays, whichever loads first', async () => {
    await words.activateLocale('en');
    await Promise.all([words.activateLocale('zh-CN'), words.activateLocale('en')]);
    expect(document.documentElement.lang).toBe('en');
  });

  it('separates names in its own way', async () => {
    await words.activateLocale('zh-CN');
    expect(words.listed(['gpu-1', 'gpu-2'])).toBe('gpu-1、gpu-2');
    await words.activateLocale('en');
    expect(words.listed(['gpu-1', 'gpu-2'])).toBe('gpu-1, gpu-2');
  });
});
