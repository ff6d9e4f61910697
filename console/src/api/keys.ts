/** Query keys: the first word is what live topics invalidate. */
import type { AuditFilter } from './audit';
import type { OfferQuery } from './flavors';
import type { JobQuery } from './jobs';
import type { MetricsQuery } from './metrics';
import type { UserQuery } from './people';
import type { QueueQuery } from './queue';
import type { RequestQuery } from './requests';
import type { TrendQuery } from './trends';
import type { FrameworkPropose } from './types';
import type { UsageQuery } from './usage';

export const keys = {
  session: ['session'] as const,
  jobs: ['jobs'] as const,
  jobPage: (query: JobQuery) => ['jobs', query] as const,
  /** The job table's news; its rows are apart, since no topic may fetch all pages of them again. */
  jobNews: (query: Omit<JobQuery, 'limit'>) => ['jobs', 'news', query] as const,
  jobLists: ['job-list'] as const,
  jobList: (query: Omit<JobQuery, 'limit'>) => ['job-list', query] as const,
  job: (id: string) => ['job', id] as const,
  jobDetail: (id: string) => ['job', id, 'detail'] as const,
  jobEvents: (id: string) => ['job', id, 'events'] as const,
  logSearch: (id: string, task: string | undefined, attempt: number | undefined, search: string) =>
    ['log-search', id, task, attempt, search] as const,
  logTail: (id: string, task: string | undefined, attempt: number, lines: number) => ['log-tail', id, task, attempt, lines] as const,
  jobUsage: (id: string, query: UsageQuery & { task?: string; attempt?: number }) => ['usage', 'job', id, query] as const,
  jobMetrics: (id: string, query: MetricsQuery) => ['metrics', id, query] as const,
  stacks: (id: string) => ['stacks', id] as const,
  queue: ['queue'] as const,
  queuePage: (query: Omit<QueueQuery, 'cursor'>) => ['queue', 'page', query] as const,
  ownPlaces: ['queue', 'mine'] as const,
  why: (id: string) => ['queue', 'why', id] as const,
  scores: ['scores'] as const,
  score: (user: string) => ['scores', user] as const,
  ledger: (user: string, model: string | undefined) => ['scores', user, 'ledger', model] as const,
  nodes: ['nodes'] as const,
  nodeDetail: (name: string) => ['nodes', name] as const,
  nodeEvents: (name: string) => ['nodes', name, 'events'] as const,
  nodeUsage: (name: string, query: UsageQuery) => ['usage', 'node', name, query] as const,
  resources: ['resources'] as const,
  clusters: ['clusters'] as const,
  clusterDetail: (name: string) => ['clusters', name] as const,
  rules: ['rules'] as const,
  projects: ['rules', 'projects'] as const,
  flavors: ['rules', 'flavors'] as const,
  priorities: ['rules', 'priorities'] as const,
  pools: ['rules', 'pools'] as const,
  limits: ['rules', 'limits'] as const,
  offers: (query: OfferQuery) => ['rules', 'offers', query] as const,
  fit: (job: string) => ['fit', job] as const,
  maintenance: ['rules', 'maintenance'] as const,
  quotas: ['rules', 'quotas'] as const,
  quotaPage: (search: string | undefined) => ['rules', 'quotas', search] as const,
  quotaUse: (of: 'user' | 'group', name: string) => ['rules', 'quota-use', of, name] as const,
  trends: (query: TrendQuery) => ['trends', query] as const,
  audit: (filter: AuditFilter) => ['audit', filter] as const,
  users: ['users'] as const,
  userList: (query: UserQuery) => ['users', 'list', query] as const,
  userDetail: (name: string) => ['users', 'one', name] as const,
  userKeys: (name: string) => ['users', 'one', name, 'keys'] as const,
  groups: ['groups'] as const,
  groupDetail: (name: string) => ['groups', name] as const,
  project: (name: string) => ['rules', 'projects', name] as const,
  standing: (name: string) => ['rules', 'projects', name, 'standing'] as const,
  members: (name: string) => ['rules', 'projects', name, 'members'] as const,
  requests: ['requests'] as const,
  requestList: (query: RequestQuery) => ['requests', 'list', query] as const,
  toDecide: ['requests', 'to-decide'] as const,
  me: ['me'] as const,
  sshKeys: ['ssh-keys'] as const,
  preferences: ['preferences'] as const,
  permissions: ['permissions'] as const,
  sessions: ['sessions'] as const,
  tokens: ['tokens'] as const,
  schema: ['schema'] as const,
  frameworks: ['frameworks'] as const,
  proposal: (asked: FrameworkPropose) => ['queue', 'proposal', asked] as const,
  examples: ['examples'] as const,
};
