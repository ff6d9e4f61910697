/** Calls about the signed-in person: session, password, tokens. */
import { api, ask, askItems } from './client';
import { ApiError } from './problem';
import type { Schemas } from './types';

export type Session = Schemas['Session'];
export type SignInProvider = Schemas['SignInProvider'];
export type Token = Schemas['Token'];
export type TokenCreated = Schemas['TokenCreated'];

export const sessionKeys = {
  current: ['session'] as const,
  tokens: ['tokens'] as const,
};

/** The session, or null when nobody is signed in. */
export async function getSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    return await ask(api.GET('/api/v1/session', { signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export const signIn = (username: string, password: string): Promise<Session> =>
  ask(api.POST('/api/v1/session', { body: { username, password } }));

export const signInByLink = (code: string): Promise<Session> => ask(api.POST('/api/v1/session/link', { body: { code } }));

/** The organisation's providers through which one can sign in; where they cannot be learned, there are none. */
export const listProviders = (signal?: AbortSignal): Promise<SignInProvider[]> =>
  askItems(api.GET('/api/v1/session/providers', { signal }));

/** Where the browser goes to sign in at a provider; it comes back by itself. */
export const providerPath = (name: string, next: string): string =>
  `/api/v1/session/oidc/${encodeURIComponent(name)}?next=${encodeURIComponent(next)}`;

export const signOut = (): Promise<unknown> => ask(api.DELETE('/api/v1/session'));

/** What a new password ends. */
export interface PasswordEnds {
  end_sessions: boolean;
  end_tokens: boolean;
}

export const changePassword = (next: string, current?: string, ends?: PasswordEnds): Promise<unknown> =>
  ask(api.PUT('/api/v1/me/password', { body: { new: next, current, ...ends } }));

export const listTokens = (signal?: AbortSignal): Promise<Token[]> => askItems(api.GET('/api/v1/tokens', { signal }));

export const createToken = (name: string, expiresIn?: string): Promise<TokenCreated> =>
  ask(api.POST('/api/v1/tokens', { body: { name, expires_in: expiresIn } }));

export const revokeToken = (id: string): Promise<unknown> => ask(api.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } }));
