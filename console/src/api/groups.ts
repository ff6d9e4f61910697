/** Calls about groups of people. */
import { ALL, api, ask, askItems } from './client';
import type { Schemas } from './types';

export type Group = Schemas['Group'];
export type GroupDetail = Schemas['GroupDetail'];
export type RosterReport = Schemas['MembersChanged'];

export const groupKeys = {
  all: ['groups'] as const,
  one: (name: string) => ['groups', name] as const,
};

export const listGroups = (signal?: AbortSignal): Promise<Group[]> => askItems(api.GET('/api/v1/groups', { ...ALL, signal }));

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
