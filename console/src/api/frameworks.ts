/** Calls about frameworks: their strategies with roles and bounds, and how many tasks to ask for. */
import { api, ask, askItems } from './client';
import type { Schemas } from './types';

export type Framework = Schemas['Framework'];
export type Strategy = Schemas['FrameworkStrategy'];
/** A role that a strategy knows, with its bounds. */
export type RoleShape = Schemas['FrameworkRole'];
export type FrameworkPropose = Schemas['ProposalAsked'];
export type FrameworkProposal = Schemas['FrameworkProposal'];
export type ProposedRole = Schemas['ProposedRole'];

export const frameworkKeys = {
  all: ['frameworks'] as const,
  proposal: (asked: FrameworkPropose) => ['queue', 'proposal', asked] as const,
};

export const listFrameworks = (signal?: AbortSignal): Promise<Framework[]> => askItems(api.GET('/api/v1/frameworks', { signal }));

/** What of a strategy's roles fits the machines, with the grounds for each number. */
export const proposeRoles = (body: FrameworkPropose, signal?: AbortSignal): Promise<FrameworkProposal> =>
  ask(api.POST('/api/v1/frameworks/propose', { body, signal }));
