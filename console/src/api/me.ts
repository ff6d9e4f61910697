/** Calls about one's own affairs: preferences, signed-in browsers, permissions. */
import { api, ask, askItems } from './client';
import type { Schemas } from './types';

export type Me = Schemas['Me'];
export type Preferences = Schemas['Preferences'];
export type SavedView = Schemas['SavedView'];
export type OwnSession = Schemas['OwnSession'];
export type SshKey = Schemas['SshKey'];

export const meKeys = {
  me: ['me'] as const,
  sshKeys: ['ssh-keys'] as const,
  preferences: ['preferences'] as const,
  permissions: ['permissions'] as const,
  sessions: ['sessions'] as const,
};

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

export const listSessions = (signal?: AbortSignal): Promise<OwnSession[]> => askItems(api.GET('/api/v1/me/sessions', { signal }));

export const endSession = (id: string): Promise<unknown> => ask(api.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } }));

export const endOtherSessions = (): Promise<unknown> => ask(api.DELETE('/api/v1/me/sessions'));

/** What one may do: with things of one's own, and with everybody's. */
export interface Permissions {
  own: string[];
  everywhere: string[];
}

export const listPermissions = async (signal?: AbortSignal): Promise<Permissions> => {
  const { items, everywhere = [] } = await ask(api.GET('/api/v1/permissions', { signal }));
  return { own: items, everywhere };
};

/** Who one is, with what one's groups and projects let one do. */
export const getMe = (signal?: AbortSignal): Promise<Me> => ask(api.GET('/api/v1/me', { signal }));

export const listSshKeys = (signal?: AbortSignal): Promise<SshKey[]> => askItems(api.GET('/api/v1/me/keys', { signal }));

export const addSshKey = (name: string, key: string): Promise<SshKey> => ask(api.POST('/api/v1/me/keys', { body: { name, key } }));

export const removeSshKey = (id: string): Promise<unknown> => ask(api.DELETE('/api/v1/me/keys/{id}', { params: { path: { id } } }));
