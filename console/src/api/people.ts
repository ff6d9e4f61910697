/** Calls about people and groups. */
import { api, ask } from './client';
import type {
  Group,
  GroupDetail,
  Invitation,
  Outcome,
  RosterReport,
  SignInLink,
  SshKey,
  User,
  UserDetail,
  UserPage,
  UserRole,
} from './types';

export const USER_ROLES = ['administrator', 'operator', 'engineer', 'viewer'] as const satisfies readonly UserRole[];
export const USER_STATES = ['active', 'invited', 'disabled'] as const;
export type UserState = (typeof USER_STATES)[number];

export interface UserQuery {
  search?: string | undefined;
  role?: UserRole | undefined;
  group?: string | undefined;
  state?: UserState | undefined;
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

export const listUsers = async (signal?: AbortSignal): Promise<User[]> => {
  const { items } = await ask(api.GET('/api/v1/users', { params: { query: { limit: 500 } }, signal }));
  return items;
};

export const readUsers = (query: UserQuery, cursor: string | undefined, signal?: AbortSignal): Promise<UserPage> =>
  ask(api.GET('/api/v1/users', { params: { query: { ...query, cursor, limit: PAGE_ROWS } }, signal }));

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

export const changeUsers = async (names: string[], act: BulkAct): Promise<Outcome[]> => {
  const { items } = await ask(api.POST('/api/v1/users/bulk', { body: { names, ...act } }));
  return items;
};

export const listUserKeys = async (name: string, signal?: AbortSignal): Promise<SshKey[]> => {
  const { items } = await ask(api.GET('/api/v1/users/{name}/keys', { params: { path: { name } }, signal }));
  return items;
};

export const listGroups = async (signal?: AbortSignal): Promise<Group[]> => {
  const { items } = await ask(api.GET('/api/v1/groups', { params: { query: { limit: 500 } }, signal }));
  return items;
};

export const getGroup = (name: string, signal?: AbortSignal): Promise<GroupDetail> =>
  ask(api.GET('/api/v1/groups/{name}', { params: { path: { name } }, signal }));

export const createGroup = (body: { name: string; description: string; permissions: string[] }): Promise<Group> =>
  ask(api.POST('/api/v1/groups', { body }));

export const editGroup = (name: string, body: { description?: string; permissions?: string[] }): Promise<Group> =>
  ask(api.PATCH('/api/v1/groups/{name}', { params: { path: { name } }, body }));

export const deleteGroup = async (name: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/groups/{name}', { params: { path: { name } } }));
};

/** People by their names, or as they were pasted; with `preview` nothing changes. */
export type RosterBody = ({ names: string[] } | { text: string }) & { remove?: boolean; preview?: boolean };

export const changeGroupMembers = (name: string, body: RosterBody): Promise<RosterReport> =>
  ask(api.POST('/api/v1/groups/{name}/members', { params: { path: { name } }, body }));
