/** Calls about one project: what it is, who belongs to it, how it stands. */
import { ALL, api, ask, askItems } from '../client';
import type { RosterBody, RosterReport } from '../groups';
import type { Schemas } from '../types';

export type Project = Schemas['Project'];
export type ProjectEdit = Schemas['ProjectEdit'];
export type Member = Schemas['Member'];
export type MemberRole = Member['role'];
export type Standing = Schemas['Standing'];
export type ShareAmount = Schemas['ShareAmount'];

export const projectKeys = {
  all: ['rules', 'projects'] as const,
  one: (name: string) => ['rules', 'projects', name] as const,
  standing: (name: string) => ['rules', 'projects', name, 'standing'] as const,
  members: (name: string) => ['rules', 'projects', name, 'members'] as const,
};

export const MEMBER_ROLES = ['creator', 'member', 'viewer'] as const satisfies readonly MemberRole[];

export const listProjects = (signal?: AbortSignal): Promise<Project[]> => askItems(api.GET('/api/v1/projects', { ...ALL, signal }));

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

export const listMembers = (name: string, signal?: AbortSignal): Promise<Member[]> =>
  askItems(api.GET('/api/v1/projects/{name}/members', { params: { path: { name } }, signal }));

export const setMember = (name: string, user: string, role: MemberRole): Promise<unknown> =>
  ask(api.PUT('/api/v1/projects/{name}/members/{user}', { params: { path: { name, user } }, body: { role } }));

/** Oneself: leaves. */
export const removeMember = async (name: string, user: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/projects/{name}/members/{user}', { params: { path: { name, user } } }));
};

export const changeMembers = (name: string, body: RosterBody & { role?: MemberRole }): Promise<RosterReport> =>
  ask(api.POST('/api/v1/projects/{name}/members', { params: { path: { name } }, body }));
