/** Words on the screen: one catalog per language, loaded when needed; keys are checked by the compiler. */
import { setupI18n } from '@lingui/core';
import type { Messages } from '@lingui/core';
import { useMemo, useSyncExternalStore } from 'react';
import type { Text } from '@/api/types';
import type en from '../locales/en';
import { remember, stored } from './storage';

export type MessageKey = keyof typeof en;
export type Locale = 'en' | 'zh-CN';
export type Values = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: Values) => string;

export const LOCALES: Record<Locale, string> = { en: 'English', 'zh-CN': '中文' };

const STORAGE_KEY = 'danlu.locale';
const loaders: Record<Locale, () => Promise<{ default: unknown }>> = {
  en: () => import('../locales/en'),
  'zh-CN': () => import('../locales/zh-CN'),
};

const i18n = setupI18n();

/** Remembered choice first, then the browser's languages. */
export function preferredLocale(): Locale {
  const remembered = stored(STORAGE_KEY);
  if (remembered !== null && remembered in LOCALES) return remembered as Locale;
  for (const language of navigator.languages) {
    if (language.toLowerCase().startsWith('zh')) return 'zh-CN';
    if (language.toLowerCase().startsWith('en')) return 'en';
  }
  return 'en';
}

export async function activateLocale(locale: Locale): Promise<void> {
  const catalog = await loaders[locale]();
  i18n.loadAndActivate({ locale, messages: catalog.default as Messages });
  document.documentElement.lang = locale;
}

/** Switches and remembers. */
export async function chooseLocale(locale: Locale): Promise<void> {
  await activateLocale(locale);
  remember(STORAGE_KEY, locale);
}

/** For code outside components; components use `useT`. */
export const translate: Translate = (key, values) => i18n._(key, values);

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, () => i18n.locale as Locale);
}

export function useT(): Translate {
  const locale = useLocale();
  // A new function per language, so that memoised parts notice a switch.
  return useMemo<Translate>(() => (locale ? (key, values) => i18n._(key, values) : () => ''), [locale]);
}

/** Picks the language of a sentence that the server wrote in both. */
export function useSentence(): (text: Text) => string {
  const locale = useLocale();
  return useMemo(() => (text: Text) => (locale === 'zh-CN' ? text.zh : text.en), [locale]);
}

function subscribe(listener: () => void): () => void {
  return i18n.on('change', listener);
}
