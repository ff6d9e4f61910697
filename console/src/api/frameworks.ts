/** Calls about frameworks: their strategies with roles and bounds, and how many tasks to ask for. */
import { api, ask } from './client';
import type { Framework, FrameworkProposal, FrameworkPropose } from './types';

export const listFrameworks = async (signal?: AbortSignal): Promise<Framework[]> => {
  const { items } = await ask(api.GET('/api/v1/frameworks', { signal }));
  return items;
};

/** What of a strategy's roles fits the machines, with the grounds for each number. */
export const proposeRoles = (body: FrameworkPropose, signal?: AbortSignal): Promise<FrameworkProposal> =>
  ask(api.POST('/api/v1/frameworks/propose', { body, signal }));
