/** Calls about limits. */
import { ALL, api, ask, askItems } from '../client';
import type { Schemas } from '../types';

export type Limit = Schemas['Limit'];
export type LimitCreate = Schemas['LimitCreate'];
export type LimitEdit = Schemas['LimitEdit'];

export const limitKeys = {
  all: ['rules', 'limits'] as const,
};

export const listLimits = (signal?: AbortSignal): Promise<Limit[]> => askItems(api.GET('/api/v1/limits', { ...ALL, signal }));

export const createLimit = (body: LimitCreate): Promise<Limit> => ask(api.POST('/api/v1/limits', { body }));

export const editLimit = (name: string, body: LimitEdit): Promise<Limit> =>
  ask(api.PATCH('/api/v1/limits/{name}', { params: { path: { name } }, body }));

export const removeLimit = (name: string): Promise<unknown> => ask(api.DELETE('/api/v1/limits/{name}', { params: { path: { name } } }));
