/** Calls about one's own environments: packages that jobs installed and keep. */
import { api, ask, askItems } from './client';
import type { Schemas } from './types';

export type EnvironmentRow = Schemas['EnvironmentRow'];
export type Environment = Schemas['Environment'];

export const environmentKeys = {
  all: ['environments'] as const,
  list: ['environments', 'list'] as const,
  one: (key: string) => ['environments', 'one', key] as const,
};

export const listEnvironments = (signal?: AbortSignal): Promise<EnvironmentRow[]> =>
  askItems(api.GET('/api/v1/me/environments', { signal }));

export const getEnvironment = (key: string, signal?: AbortSignal): Promise<Environment> =>
  ask(api.GET('/api/v1/me/environments/{key}', { params: { path: { key } }, signal }));

export const deleteEnvironment = async (key: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/me/environments/{key}', { params: { path: { key } } }));
};
