/** Calls about one project: what it is, who belongs to it, how it stands. */
import { api, ask } from './client';
import type { RosterBody } from './people';
import type { Member, MemberRole, Project, ProjectEdit, RosterReport, Standing } from './types';

export const MEMBER_ROLES = ['creator', 'member', 'viewer'] as const satisfies readonly MemberRole[];

export const getProject = (name: string, signal?: AbortSignal): Promise<Project> =>
  ask(api.GET('/api/v1/projects/{name}', { params: { path: { name } }, signal }));

export const createProject = (body: { name: string; description: string }): Promise<Project> => ask(api.POST('/api/v1/projects', { body }));

export const editProject = (name: string, body: ProjectEdit): Promise<Project> =>
  ask(api.PATCH('/api/v1/projects/{name}', { params: { path: { name } }, body }));

export const deleteProject = async (name: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/projects/{name}', { params: { path: { name } } }));
};

export const getStanding = (name: string, signal?: AbortSignal): Promise<Standing> =>
  ask(api.GET('/api/v1/projects/{name}/standing', { params: { path: { name } }, signal }));

export const listMembers = async (name: string, signal?: AbortSignal): Promise<Member[]> => {
  const { items } = await ask(api.GET('/api/v1/projects/{name}/members', { params: { path: { name } }, signal }));
  return items;
};

export const setMember = (name: string, user: string, role: MemberRole): Promise<unknown> =>
  ask(api.PUT('/api/v1/projects/{name}/members/{user}', { params: { path: { name, user } }, body: { role } }));

/** Oneself: leaves. */
export const removeMember = async (name: string, user: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/projects/{name}/members/{user}', { params: { path: { name, user } } }));
};

export const changeMembers = (name: string, body: RosterBody & { role?: MemberRole }): Promise<RosterReport> =>
  ask(api.POST('/api/v1/projects/{name}/members', { params: { path: { name } }, body }));
