/** The kinds of things that acts are done to, in words. */
import type { MessageKey } from '@/app/i18n';

export const KINDS: Record<string, MessageKey> = {
  user: 'audit.users',
  group: 'audit.groups',
  project: 'audit.projects',
  request: 'audit.requests',
  job: 'audit.jobs',
  template: 'audit.templates',
  volume: 'audit.volumes',
  dataset: 'audit.datasets',
  transfer: 'audit.transfers',
  schedule: 'audit.schedules',
  environment: 'audit.environments',
  node: 'audit.nodes',
  pool: 'audit.pools',
  maintenance: 'audit.maintenance',
  flavor: 'audit.flavors',
  quota: 'audit.quotas',
  priority: 'audit.priorities',
  limit: 'audit.limits',
  cluster: 'audit.clusters',
  audit: 'audit.log',
};
