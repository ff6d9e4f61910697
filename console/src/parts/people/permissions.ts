/** What a group can let its members do, in words and in the order of a list. */
import type { MessageKey, Translate } from '@/app/i18n';

type Noun =
  | 'job'
  | 'data'
  | 'queue'
  | 'node'
  | 'cluster'
  | 'pool'
  | 'flavor'
  | 'priority'
  | 'limit'
  | 'quota'
  | 'project'
  | 'people'
  | 'audit';

interface Section {
  noun: Noun;
  title: MessageKey;
  permissions: Record<string, MessageKey>;
}

/** What can only be done in one's own name is missing: nobody can grant it. */
export const GRANTABLE: readonly Section[] = [
  {
    noun: 'job',
    title: 'may.jobs',
    permissions: {
      'job:read': 'may.jobRead',
      'job:start': 'may.jobStart',
      'job:stop': 'may.jobStop',
      'job:reset': 'may.jobReset',
      'job:delete': 'may.jobDelete',
      'job:exec': 'may.jobExec',
      'event:read': 'may.eventRead',
      'template:read': 'may.templateRead',
      'template:write': 'may.templateWrite',
    },
  },
  {
    noun: 'data',
    title: 'may.data',
    permissions: {
      'volume:read': 'may.volumeRead',
      'volume:write': 'may.volumeWrite',
      'volume:sensitive': 'may.volumeSensitive',
      'volume:attach': 'may.volumeAttach',
      'transfer:read': 'may.transferRead',
      'transfer:write': 'may.transferWrite',
    },
  },
  {
    noun: 'queue',
    title: 'may.queue',
    permissions: {
      'queue:read': 'may.queueRead',
      'queue:pin': 'may.queuePin',
      'score:read': 'may.scoreRead',
      'usage:read': 'may.usageRead',
    },
  },
  {
    noun: 'people',
    title: 'may.people',
    permissions: {
      'user:read': 'may.userRead',
      'user:write': 'may.userWrite',
      'group:read': 'may.groupRead',
      'group:write': 'may.groupWrite',
      'key:read': 'may.keyRead',
      'token:extend': 'may.tokenExtend',
      'request:read': 'may.requestRead',
    },
  },
  {
    noun: 'project',
    title: 'may.projects',
    permissions: {
      'project:read': 'may.projectRead',
      'project:create': 'may.projectCreate',
      'project:write': 'may.projectWrite',
      'member:read': 'may.memberRead',
      'member:write': 'may.memberWrite',
    },
  },
  {
    noun: 'quota',
    title: 'may.bounds',
    permissions: {
      'quota:read': 'may.quotaRead',
      'quota:write': 'may.quotaWrite',
      'limit:read': 'may.limitRead',
      'limit:write': 'may.limitWrite',
      'priority:read': 'may.priorityRead',
      'priority:write': 'may.priorityWrite',
    },
  },
  {
    noun: 'node',
    title: 'may.machines',
    permissions: {
      'node:read': 'may.nodeRead',
      'node:write': 'may.nodeWrite',
      'pool:read': 'may.poolRead',
      'pool:write': 'may.poolWrite',
      'flavor:read': 'may.flavorRead',
      'flavor:write': 'may.flavorWrite',
      'cluster:read': 'may.clusterRead',
      'cluster:write': 'may.clusterWrite',
    },
  },
  { noun: 'audit', title: 'may.audit', permissions: { 'audit:read': 'may.auditRead', 'system:read': 'may.systemRead' } },
];

const WORDS: Record<string, MessageKey> = Object.assign({}, ...GRANTABLE.map(({ permissions }) => permissions)) as Record<
  string,
  MessageKey
>;

/** One that has no words yet goes by its own name. */
export function permissionName(permission: string, t: Translate): string {
  const key = WORDS[permission];
  return key ? t(key) : permission;
}
