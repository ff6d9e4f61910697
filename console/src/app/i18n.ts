/**
 * Words on the screen: catalogs per language, loaded when needed; keys are checked by the compiler. Those of the pages where one
 * governs come with the first of these pages, since most people never go there; so do those about machines, of volumes, of a job's
 * page, of the queue and of writing a job; those of what a training tells, and of files, come with the part of a job's page that
 * shows them.
 */
import { setupI18n } from '@lingui/core';
import type { Messages } from '@lingui/core';
import { useMemo, useSyncExternalStore } from 'react';
import type { Text } from '@/api/types';
import type { MessageKey } from './feature';
import { remember, stored } from './storage';

export type { MessageKey };
export type Locale = 'en' | 'zh-CN';
export type Values = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: Values) => string;

export const LOCALES: Record<Locale, string> = { en: 'English', 'zh-CN': '中文' };

const STORAGE_KEY = 'danlu.locale';
type Loader = () => Promise<{ default: unknown }>;
/** The catalogs that come with the first page or part that wants them. */
export type Later = 'composing' | 'data' | 'governing' | 'job' | 'machines' | 'queueing' | 'training';
type Catalog = 'everywhere' | Later;
const loaders: Record<Locale, Record<Catalog, Loader>> = {
  en: {
    everywhere: () => import('../locales/en'),
    composing: () => import('../locales/en/composing'),
    data: () => import('../locales/en/data'),
    governing: () => import('../locales/en/governing'),
    job: () => import('../locales/en/job'),
    machines: () => import('../locales/en/machines'),
    queueing: () => import('../locales/en/queueing'),
    training: () => import('../locales/en/training'),
  },
  'zh-CN': {
    everywhere: () => import('../locales/zh-CN'),
    composing: () => import('../locales/zh-CN/composing'),
    data: () => import('../locales/zh-CN/data'),
    governing: () => import('../locales/zh-CN/governing'),
    job: () => import('../locales/zh-CN/job'),
    machines: () => import('../locales/zh-CN/machines'),
    queueing: () => import('../locales/zh-CN/queueing'),
    training: () => import('../locales/zh-CN/training'),
  },
};
/** The catalogs that a page has asked for: every language needs them before it is shown. */
const wanted = new Set<Catalog>(['everywhere']);
const loaded: Record<Locale, Set<Catalog>> = { en: new Set(), 'zh-CN': new Set() };
/** The language that was asked for last. */
let asked: Locale | undefined;

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
  asked = locale;
  await showOnceComplete(locale);
}

async function showOnceComplete(locale: Locale): Promise<void> {
  const missing = [...wanted].filter((name) => !loaded[locale].has(name));
  if (missing.length > 0) {
    await Promise.all(missing.map((name) => loadCatalog(locale, name)));
    // Meanwhile a page may have come to want more.
    return showOnceComplete(locale);
  }
  if (locale !== asked) return;
  i18n.activate(locale);
  document.documentElement.lang = locale;
}

/** A part that shows what a training tells, once its words are there. */
export const training = <Part>(load: () => Promise<Part>): Promise<Part> => withWords('training', load);

/** A page or a part, once its words are there. */
export async function withWords<Part>(name: Later, load: () => Promise<Part>): Promise<Part> {
  wanted.add(name);
  const [part] = await Promise.all([load(), i18n.locale ? loadCatalog(i18n.locale as Locale, name) : undefined]);
  return part;
}

async function loadCatalog(locale: Locale, name: Catalog): Promise<void> {
  const { default: messages } = await loaders[locale][name]();
  i18n.load(locale, { ...(messages as Messages) });
  loaded[locale].add(name);
}

/** Switches and remembers. */
export async function chooseLocale(locale: Locale): Promise<void> {
  await activateLocale(locale);
  if (locale === asked) remember(STORAGE_KEY, locale);
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

/** Picks the language of a sentence that the server wrote in both; for code outside components. */
export const sentence = (text: Text): string => (i18n.locale === 'zh-CN' ? text.zh : text.en);

/** Names one after the other, with the separator of the language. */
export const listed = (names: readonly string[]): string => sentence({ en: names.join(', '), zh: names.join('、') });

/** The same as `sentence`, for components. */
export function useSentence(): (text: Text) => string {
  const locale = useLocale();
  return useMemo(() => (text: Text) => (locale === 'zh-CN' ? text.zh : text.en), [locale]);
}

function subscribe(listener: () => void): () => void {
  return i18n.on('change', listener);
}
