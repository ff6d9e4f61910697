/** Calls about what administrators rule with; flavors and quotas have files of their own. */
import { api, ask } from './client';
import type {
  Flavor,
  Limit,
  LimitCreate,
  LimitEdit,
  Pool,
  PoolCreate,
  PoolEdit,
  PriorityClass,
  PriorityCreate,
  PriorityEdit,
  Project,
} from './types';

const ALL = { params: { query: { limit: 500 } } };

export const listProjects = async (signal?: AbortSignal): Promise<Project[]> => {
  const { items } = await ask(api.GET('/api/v1/projects', { ...ALL, signal }));
  return items;
};

export const listFlavors = async (signal?: AbortSignal): Promise<Flavor[]> => {
  const { items } = await ask(api.GET('/api/v1/flavors', { ...ALL, signal }));
  return items;
};

export const listPriorities = async (signal?: AbortSignal): Promise<PriorityClass[]> => {
  const { items } = await ask(api.GET('/api/v1/priorities', { ...ALL, signal }));
  return items;
};

export const listPools = async (signal?: AbortSignal): Promise<Pool[]> => {
  const { items } = await ask(api.GET('/api/v1/pools', { ...ALL, signal }));
  return items;
};

export const listLimits = async (signal?: AbortSignal): Promise<Limit[]> => {
  const { items } = await ask(api.GET('/api/v1/limits', { ...ALL, signal }));
  return items;
};

export const createPool = (body: PoolCreate): Promise<Pool> => ask(api.POST('/api/v1/pools', { body }));

export const editPool = (name: string, body: PoolEdit): Promise<Pool> =>
  ask(api.PATCH('/api/v1/pools/{name}', { params: { path: { name } }, body }));

export const removePool = (name: string): Promise<unknown> => ask(api.DELETE('/api/v1/pools/{name}', { params: { path: { name } } }));

export const createPriority = (body: PriorityCreate): Promise<PriorityClass> => ask(api.POST('/api/v1/priorities', { body }));

export const editPriority = (name: string, body: PriorityEdit): Promise<PriorityClass> =>
  ask(api.PATCH('/api/v1/priorities/{name}', { params: { path: { name } }, body }));

export const removePriority = (name: string): Promise<unknown> =>
  ask(api.DELETE('/api/v1/priorities/{name}', { params: { path: { name } } }));

export const createLimit = (body: LimitCreate): Promise<Limit> => ask(api.POST('/api/v1/limits', { body }));

export const editLimit = (name: string, body: LimitEdit): Promise<Limit> =>
  ask(api.PATCH('/api/v1/limits/{name}', { params: { path: { name } }, body }));

export const removeLimit = (name: string): Promise<unknown> => ask(api.DELETE('/api/v1/limits/{name}', { params: { path: { name } } }));
