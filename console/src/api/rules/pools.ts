/** Calls about pools. */
import { ALL, api, ask, askItems } from '../client';
import type { Schemas } from '../types';

export type Pool = Schemas['Pool'];
export type PoolCreate = Schemas['PoolCreate'];
export type PoolEdit = Schemas['PoolEdit'];

export const poolKeys = {
  all: ['rules', 'pools'] as const,
};

export const listPools = (signal?: AbortSignal): Promise<Pool[]> => askItems(api.GET('/api/v1/pools', { ...ALL, signal }));

export const createPool = (body: PoolCreate): Promise<Pool> => ask(api.POST('/api/v1/pools', { body }));

export const editPool = (name: string, body: PoolEdit): Promise<Pool> =>
  ask(api.PATCH('/api/v1/pools/{name}', { params: { path: { name } }, body }));

export const removePool = (name: string): Promise<unknown> => ask(api.DELETE('/api/v1/pools/{name}', { params: { path: { name } } }));
