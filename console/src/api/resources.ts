/** The cluster at a glance. */
import { api, ask } from './client';
import type { Schemas } from './types';

export type Resources = Schemas['Resources'];
export type ModelAmount = Schemas['ModelAmount'];
export type Amount = Schemas['Amount'];
export type ClassUse = Schemas['ClassResources'];

export const resourceKeys = {
  all: ['resources'] as const,
};

export const getResources = (signal?: AbortSignal): Promise<Resources> => ask(api.GET('/api/v1/resources', { signal }));
