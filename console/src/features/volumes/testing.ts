/** Volumes in tests: two of them, and a console that opens at one of their pages. */
import type { Volume, VolumeList, VolumeRow } from '@/api/volumes';
import type { Answers } from '@/testing/app';
import { openConsole } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

export const GIB = 2 ** 30;

export const volume: VolumeRow = {
  id: '0abcdefghjkmn',
  owner: session.user.name,
  name: 'imagenet',
  title: `${session.user.name}:imagenet`,
  kind: 'filesystem',
  capacity: 100 * GIB,
  used: 50 * GIB,
  used_at: '2026-05-01T10:00:00Z',
  entries: 12,
  complete: true,
  enforced: false,
  enforcement: 'ending_jobs',
  most: 110 * GIB,
  description: '',
  cluster: 'local',
  claim: '',
  storage_class: '',
  made: null,
  shares: [],
  public: false,
  sensitive: false,
  source: null,
  has_login: false,
  created_at: '2026-05-01T10:00:00Z',
  changed_at: '2026-05-01T10:00:00Z',
  trashed_at: null,
  gone_at: null,
  mode: 'rw',
  can_edit: true,
  mounts: 0,
  mounted_by: [],
};

export const shared: VolumeRow = {
  ...volume,
  id: '1abcdefghjkmn',
  owner: 'wang',
  name: 'corpus',
  title: 'wang:corpus',
  kind: 'block',
  public: true,
  sensitive: true,
  shares: [{ to: 'project', name: 'nlp', mode: 'ro' }],
  mode: 'ro',
  can_edit: false,
};

export const listed = (rows: VolumeRow[]): VolumeList => ({
  items: rows,
  next_cursor: null,
  total: rows.length,
});

export const whole = (row: VolumeRow, uses: Volume['uses'] = []): Volume => ({ ...row, uses });

export function openVolumes(address: string, answers: Answers = {}) {
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['volume:read', 'volume:write'], everywhere: ['user:read'] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET projects': { items: [{ name: 'nlp', open: false, my_role: 'member' }], next_cursor: null },
    'GET users': { items: [{ name: 'wang' }], next_cursor: null, total: 1 },
    'GET volumes': listed([]),
    [`GET users/${session.user.name}/quota`]: {
      items: [],
      storage: [{ type: 'block', limit: 8 * GIB, used: 3 * GIB, counted_at: null }],
      budgets: [],
      limits: [],
      caps: [],
    },
    ...answers,
  });
  const sent = (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);
  return { ...console, sent };
}
