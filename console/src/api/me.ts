/** Calls about one's own affairs: preferences, signed-in browsers, permissions. */
import { api, ask } from './client';
import type { OwnSession, Preferences, SavedView } from './types';

/** What is left out stays, null forgets. */
export interface PreferencesChange {
  language?: 'en' | 'zh-CN' | null;
  theme?: 'light' | 'dark' | 'auto' | null;
  time_zone?: string | null;
  views?: SavedView[];
  dismissed?: string[];
  news_seen?: string | null;
}

export const getPreferences = (signal?: AbortSignal): Promise<Preferences> => ask(api.GET('/api/v1/me/preferences', { signal }));

export const changePreferences = (body: PreferencesChange): Promise<Preferences> => ask(api.PATCH('/api/v1/me/preferences', { body }));

export const listSessions = async (signal?: AbortSignal): Promise<OwnSession[]> => {
  const { items } = await ask(api.GET('/api/v1/me/sessions', { signal }));
  return items;
};

export const endSession = (id: string): Promise<unknown> => ask(api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } }));

export const endOtherSessions = (): Promise<unknown> => ask(api.DELETE('/api/v1/me/sessions'));

export const listPermissions = async (signal?: AbortSignal): Promise<string[]> => {
  const { items } = await ask(api.GET('/api/v1/permissions', { signal }));
  return items;
};
