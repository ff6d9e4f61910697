/** Calls about what administrators rule with, as far as others need to know it. */
import { api, ask } from './client';
import type { Flavor, Limit, Pool, PriorityClass, Project } from './types';

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
