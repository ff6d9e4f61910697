/** Calls about priority classes. */
import { ALL, api, ask, askItems } from '../client';
import type { Schemas } from '../types';

export type PriorityClass = Schemas['Priority'];
export type PriorityCreate = Schemas['PriorityCreate'];
export type PriorityEdit = Schemas['PriorityEdit'];

export const priorityKeys = {
  all: ['rules', 'priorities'] as const,
};

export const listPriorities = (signal?: AbortSignal): Promise<PriorityClass[]> =>
  askItems(api.GET('/api/v1/priorities', { ...ALL, signal }));

export const createPriority = (body: PriorityCreate): Promise<PriorityClass> => ask(api.POST('/api/v1/priorities', { body }));

export const editPriority = (name: string, body: PriorityEdit): Promise<PriorityClass> =>
  ask(api.PATCH('/api/v1/priorities/{name}', { params: { path: { name } }, body }));

export const removePriority = (name: string): Promise<unknown> =>
  ask(api.DELETE('/api/v1/priorities/{name}', { params: { path: { name } } }));
