/** Calls about people. */
import { ALL, api, ask, askItems } from './client';
import type { SshKey } from './me';
import type { Outcome, Schemas } from './types';

export type User = Schemas['User'];
export type UserRole = User['role'];
export type UserDetail = Schemas['UserDetail'];
export type UserPage = Schemas['UserList'];
export type SignInLink = Schemas['SignInAddress'];
export type Invitation = Schemas['Invited'];
export type AnybodysToken = Schemas['AnybodysToken'];

export const userKeys = {
  all: ['users'] as const,
  list: (query: UserQuery) => ['users', 'list', query] as const,
  one: (name: string) => ['users', 'one', name] as const,
  ssh: (name: string) => ['users', 'one', name, 'keys'] as const,
  tokens: (name: string) => ['users', 'one', name, 'tokens'] as const,
};

export const USER_ROLES = ['administrator', 'operator', 'engineer', 'viewer'] as const satisfies readonly UserRole[];
export const USER_STATES = ['active', 'invited', 'disabled'] as const;
export type UserState = (typeof USER_STATES)[number];

export interface UserQuery {
  search?: string | undefined;
  role?: UserRole | undefined;
  group?: string | undefined;
  state?: UserState | undefined;
  limit?: number;
}

/** What becomes of the jobs of somebody who is disabled. */
export type JobsFate = 'keep' | 'stop';

export interface UserFields {
  role: UserRole;
  display_name: string;
  email: string;
  groups: string[];
}

export type BulkAct =
  | { act: 'disable'; jobs: JobsFate }
  | { act: 'enable' }
  | { act: 'set_role'; role: UserRole }
  | { act: 'add_group' | 'remove_group'; group: string };

const PAGE_ROWS = 200;

export const listUsers = (signal?: AbortSignal): Promise<User[]> => askItems(api.GET('/api/v1/users', { ...ALL, signal }));

export const readUsers = (query: UserQuery, cursor: string | undefined, signal?: AbortSignal): Promise<UserPage> =>
  ask(api.GET('/api/v1/users', { params: { query: { limit: PAGE_ROWS, ...query, cursor } }, signal }));

export const getUser = (name: string, signal?: AbortSignal): Promise<UserDetail> =>
  ask(api.GET('/api/v1/users/{name}', { params: { path: { name } }, signal }));

export const createUser = (body: UserFields & { name: string; password?: string }): Promise<User> =>
  ask(api.POST('/api/v1/users', { body }));

/** The answer's link signs in once; nobody sees it again. */
export const inviteUser = (body: UserFields & { name: string; life?: string }): Promise<Invitation> =>
  ask(api.POST('/api/v1/users/invite', { body }));

export const editUser = (name: string, body: Partial<UserFields> & { disabled?: boolean; jobs?: JobsFate }): Promise<User> =>
  ask(api.PATCH('/api/v1/users/{name}', { params: { path: { name } }, body }));

export const deleteUser = async (name: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/users/{name}', { params: { path: { name } } }));
};

/** Takes the password away and ends all sessions. */
export const resetUser = (name: string): Promise<SignInLink> => ask(api.POST('/api/v1/users/{name}/link', { params: { path: { name } } }));

export const changeUsers = (names: string[], act: BulkAct): Promise<Outcome[]> =>
  askItems(api.POST('/api/v1/users/bulk', { body: { names, ...act } }));

export const listUserKeys = (name: string, signal?: AbortSignal): Promise<SshKey[]> =>
  askItems(api.GET('/api/v1/users/{name}/keys', { params: { path: { name } }, signal }));

export const listUserTokens = (user: string, signal?: AbortSignal): Promise<AnybodysToken[]> =>
  askItems(api.GET('/api/v1/all-tokens', { params: { query: { user, limit: PAGE_ROWS } }, signal }));

export const revokeAnyToken = (id: string): Promise<unknown> => ask(api.DELETE('/api/v1/all-tokens/{id}', { params: { path: { id } } }));
