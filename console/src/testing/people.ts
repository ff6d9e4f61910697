/** Believable people, groups, projects and requests, to be varied. */
import type { Group } from '@/api/groups';
import type { User, UserDetail } from '@/api/people';
import type { AccessRequest } from '@/api/requests';
import type { Member, Project } from '@/api/rules/projects';

/** What an administrator may do; of the rest the pages ask nothing. */
export const ADMINISTRATES = [
  'user:read',
  'user:write',
  'group:read',
  'group:write',
  'key:read',
  'project:write',
  'project:create',
  'member:read',
  'member:write',
  'request:read',
  'quota:read',
  'quota:write',
  'usage:read',
  'job:read',
  'job:stop',
];

export function user(part: Partial<User> = {}): User {
  return {
    name: 'sara',
    display_name: 'Sara Novak',
    email: 'sara@example.org',
    role: 'engineer',
    disabled: false,
    groups: ['vision'],
    created_at: '2026-02-01T00:00:00Z',
    sign_in: 'password',
    ...part,
  };
}

export function userDetail(part: Partial<UserDetail> = {}): UserDetail {
  return { ...user(), projects: [{ project: 'nlp', role: 'creator' }], active_jobs: 2, keys: 1, tokens: 3, uid: 1_879_048_192, ...part };
}

export function group(part: Partial<Group> = {}): Group {
  return { name: 'vision', permissions: ['job:read'], description: 'Cameras', members: 2, ...part };
}

export function project(part: Partial<Project> = {}): Project {
  return {
    name: 'nlp',
    weight: 2,
    guarantee: { gpus: 8 },
    cap: { gpus: 24, A100: 16, memory: 2 ** 40 },
    closed: false,
    reclaimable: true,
    node_selector: { cluster: 'lab', zone: 'east' },
    priorities: ['normal'],
    description: 'Language models',
    creator: 'sara',
    open: false,
    default_flavor: '',
    default_image: '',
    members: 2,
    my_role: null,
    ...part,
  };
}

export function member(part: Partial<Member> = {}): Member {
  return { user: 'sara', display_name: 'Sara Novak', role: 'creator', since: '2026-03-01T00:00:00Z', by: 'admin', ...part };
}

export function request(part: Partial<AccessRequest> = {}): AccessRequest {
  return {
    id: 'r1',
    kind: 'join',
    user: 'chen',
    subject: 'nlp',
    note: 'the tokenizer',
    asked: null,
    state: 'open',
    created_at: '2026-05-01T10:00:00Z',
    decided_by: null,
    decided_at: null,
    answer: '',
    can_decide: true,
    ...part,
  };
}
