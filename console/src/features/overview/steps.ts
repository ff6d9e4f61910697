/** The first steps of a newcomer, and which of them the state of things says are done. */
import type { NodeState } from '@/api/nodes';
import type { User } from '@/api/people';
import type { Token } from '@/api/session';
import { takenMark } from '@/app/first-steps';

export const CLUSTER_STEPS = ['nodes', 'people', 'project', 'sizes', 'limits'] as const;
export const OWN_STEPS = ['password', 'job', 'log', 'cli', 'token', 'guide'] as const;
export type StepId = (typeof CLUSTER_STEPS)[number] | (typeof OWN_STEPS)[number];

export interface Step {
  id: StepId;
  done: boolean;
}

/** What is known so far; what is not counts as not done. */
export interface Known {
  mustSetPassword: boolean;
  jobs?: number | undefined;
  tokens?: Pick<Token, 'name' | 'last_used_at'>[] | undefined;
  users?: number | undefined;
  nodes?: Partial<Record<NodeState, number>> | undefined;
  projects?: string[] | undefined;
  flavors?: number | undefined;
  pools?: number | undefined;
  priorities?: string[] | undefined;
  limits?: number | undefined;
  quotas?: number | undefined;
  dismissed: string[];
}

/** These come with Danlu; whatever else there is, somebody made. */
const GIVEN_PROJECTS = ['public'];
const GIVEN_POOLS = 1;
const GIVEN_PRIORITIES = ['low', 'normal', 'high'];
/** So `danlu login` names the token that it makes. */
const BY_LOGIN = 'danlu login on ';

const DONE: Record<StepId, (known: Known) => boolean> = {
  nodes: ({ nodes }) => (nodes?.ready ?? 0) + (nodes?.occupied ?? 0) > 0,
  people: ({ users }) => (users ?? 0) > 1,
  project: ({ projects }) => madeAny(projects, GIVEN_PROJECTS),
  sizes: ({ flavors, pools }) => (flavors ?? 0) > 0 || (pools ?? 0) > GIVEN_POOLS,
  limits: ({ limits, quotas, priorities }) => (limits ?? 0) + (quotas ?? 0) > 0 || madeAny(priorities, GIVEN_PRIORITIES),
  password: ({ mustSetPassword }) => !mustSetPassword,
  job: ({ jobs }) => (jobs ?? 0) > 0,
  log: ({ dismissed }) => dismissed.includes(takenMark('log')),
  cli: ({ tokens }) => tokens?.some((token) => token.last_used_at !== null) ?? false,
  token: ({ tokens }) => tokens?.some(({ name }) => !name.startsWith(BY_LOGIN)) ?? false,
  guide: ({ dismissed }) => dismissed.includes(takenMark('guide')),
};

/** Administrators see to the cluster too; viewers submit nothing. */
export function stepsFor(role: User['role'], known: Known): Step[] {
  const own = role === 'viewer' ? OWN_STEPS.filter((id) => id !== 'job' && id !== 'log') : OWN_STEPS;
  const ids: StepId[] = role === 'administrator' ? [...CLUSTER_STEPS, ...own] : [...own];
  return ids.map((id) => ({ id, done: DONE[id](known) }));
}

function madeAny(names: string[] | undefined, given: string[]): boolean {
  return names?.some((name) => !given.includes(name)) ?? false;
}
