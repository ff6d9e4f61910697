/** Asks what the first steps are ticked from. A refused or failed question leaves its step open and breaks nothing. */
import { useQuery } from '@tanstack/react-query';
import { jobKeys, listJobs } from '@/api/jobs';
import type { JobQuery, JobRow } from '@/api/jobs';
import { listUsers, userKeys } from '@/api/people';
import { getResources, resourceKeys } from '@/api/resources';
import { flavorKeys, listFlavors } from '@/api/rules/flavors';
import { limitKeys, listLimits } from '@/api/rules/limits';
import { listPools, poolKeys } from '@/api/rules/pools';
import { listPriorities, priorityKeys } from '@/api/rules/priorities';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { listQuotas, quotaKeys } from '@/api/rules/quotas';
import { listTokens, sessionKeys } from '@/api/session';
import { usePreferences } from '@/app/preferences';
import { sessionQuery, useMe } from '@/app/session';
import type { Known } from './steps';

const LATEST: JobQuery = { owner: 'me', limit: 1, sort: '-created' };
const NONE: string[] = [];
const FRESH = { staleTime: 60_000 };

export function useKnown(): { known: Known; settled: boolean; latest: JobRow | undefined } {
  const governs = useMe().role === 'administrator';
  const asks = { ...FRESH, enabled: governs };
  const dismissed = usePreferences()?.dismissed ?? NONE;
  const session = useQuery(sessionQuery);
  const jobs = useQuery({ queryKey: jobKeys.page(LATEST), queryFn: ({ signal }) => listJobs(LATEST, signal) });
  const tokens = useQuery({ queryKey: sessionKeys.tokens, queryFn: ({ signal }) => listTokens(signal), ...FRESH });
  const resources = useQuery({ queryKey: resourceKeys.all, queryFn: ({ signal }) => getResources(signal), enabled: governs });
  const users = useQuery({ queryKey: userKeys.all, queryFn: ({ signal }) => listUsers(signal), ...asks });
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal), ...asks });
  const flavors = useQuery({ queryKey: flavorKeys.all, queryFn: ({ signal }) => listFlavors(signal), ...asks });
  const pools = useQuery({ queryKey: poolKeys.all, queryFn: ({ signal }) => listPools(signal), ...asks });
  const priorities = useQuery({ queryKey: priorityKeys.all, queryFn: ({ signal }) => listPriorities(signal), ...asks });
  const limits = useQuery({ queryKey: limitKeys.all, queryFn: ({ signal }) => listLimits(signal), ...asks });
  const quotas = useQuery({ queryKey: [...quotaKeys.all, 'any'], queryFn: ({ signal }) => listQuotas({ limit: 1 }, signal), ...asks });
  const known: Known = {
    mustSetPassword: session.data?.must_set_password ?? false,
    jobs: jobs.data?.total,
    tokens: tokens.data,
    users: users.data?.length,
    nodes: resources.data?.nodes,
    projects: projects.data?.map(({ name }) => name),
    flavors: flavors.data?.length,
    pools: pools.data?.length,
    priorities: priorities.data?.map(({ name }) => name),
    limits: limits.data?.length,
    quotas: quotas.data?.items.length,
    dismissed,
  };
  const asked = governs ? [jobs, tokens, resources, users, projects, flavors, pools, priorities, limits, quotas] : [jobs, tokens];
  return { known, settled: asked.every((query) => !query.isPending), latest: jobs.data?.items[0] };
}
