/** Datasets in tests: two of them with their versions, and a console that opens at one of their pages. */
import type { Dataset, DatasetAct, DatasetRecipe, DatasetRow, DatasetVersion } from '@/api/datasets';
import type { Answers } from '@/testing/app';
import { openConsole } from '@/testing/app';
import { preferences, session } from '@/testing/samples';

const AT = '2026-05-01T10:00:00Z';

export const dataset: DatasetRow = {
  id: '0abcdefghjkmn',
  owner: session.user.name,
  name: 'cifar',
  title: `${session.user.name}:cifar`,
  description: 'Small images',
  licence: 'MIT',
  latest: 'v2',
  latest_at: AT,
  files: 1200,
  bytes: 5 * 2 ** 20,
  shares: [],
  public: false,
  sensitive: false,
  created_at: AT,
  changed_at: AT,
  trashed_at: null,
  gone_at: null,
  mode: 'rw',
  can_edit: true,
};

export const shared: DatasetRow = {
  ...dataset,
  id: '1abcdefghjkmn',
  owner: 'wang',
  name: 'corpus',
  title: 'wang:corpus',
  description: '',
  latest: null,
  latest_at: null,
  files: 0,
  bytes: 0,
  public: true,
  mode: 'ro',
  can_edit: false,
};

export const whole = (row: DatasetRow, card = ''): Dataset => ({ ...row, card });

export function version(number: number, part: Partial<DatasetVersion> = {}): DatasetVersion {
  return {
    id: `v${number}`,
    number,
    version: `v${number}`,
    digest: 'ab'.repeat(32),
    files: 600 * number,
    folders: 3,
    bytes: 5 * 2 ** 20,
    stored: 2 ** 20,
    tags: [],
    note: '',
    place: 'lin:raw:/cifar',
    made_by: 'lin',
    job_id: null,
    job: null,
    attempt: null,
    created_at: AT,
    verified_at: null,
    damaged: 0,
    summary: {
      endings: [
        { name: 'png', files: 500, bytes: 2 ** 22 },
        { name: '', files: 2, bytes: 40 },
      ],
      sizes: [{ name: '≤ 64 KiB', files: 502, bytes: 2 ** 22 }],
      tables: [],
      links: 0,
      links_out: 0,
      special: 0,
      unreadable: 0,
      unsettled: 0,
      left_out: [],
    },
    ...part,
  };
}

export const act = (part: Partial<DatasetAct> = {}): DatasetAct => ({
  id: 'a1',
  kind: 'snapshot',
  state: 'running',
  by: 'lin',
  place: 'lin:raw:/cifar',
  tags: [],
  note: '',
  version: null,
  recipe: null,
  transfer: null,
  parts: 0,
  parts_total: 0,
  files: 120,
  bytes: 2 ** 20,
  bytes_total: null,
  read: 120,
  stored: 2 ** 19,
  damaged: 0,
  found: [],
  error: null,
  created_at: AT,
  began_at: AT,
  ended_at: null,
  ...part,
});

export const recipe: DatasetRecipe = {
  id: 'cifar10',
  title: 'CIFAR-10',
  task: 'classification',
  about: { en: 'Small images in ten classes.', zh: '十类小图像。' },
  licence: 'none stated',
  home: 'https://cifar.example/',
  needs: { en: '', zh: '' },
  own: false,
  size: 170_000_000,
  unpacked: 186_000_000,
  archives: [{ name: 'cifar.tar.gz', size: 170_000_000, url: 'https://cifar.example/cifar.tar.gz', md5: '' }],
  layout: [],
  classes: {},
  some_classes: false,
  stand_in: { usual: 1200, least: 60, most: 60_000 },
};

export const ownRecipe: DatasetRecipe = {
  ...recipe,
  id: 'imagenet',
  title: 'ImageNet',
  own: true,
  needs: { en: 'an account at image-net.org', zh: 'image-net.org 的账号' },
  archives: [{ name: 'train.tar', size: 1, url: '', md5: '' }],
};

export const list = <Item>(...items: Item[]) => ({ items, next_cursor: null });

export function openDatasets(address: string, answers: Answers = {}) {
  const one = `datasets/${dataset.id}`;
  const console = openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: ['dataset:read', 'dataset:write', 'volume:read'], everywhere: ['user:read'] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET projects': list(),
    'GET users': { items: [{ name: 'wang' }], next_cursor: null, total: 1 },
    'GET volumes': list(),
    'GET volumes/personal/files': { items: [], next_cursor: null, total: 0, whole: true, inside: null },
    'GET datasets': list(),
    [`GET ${one}`]: whole(dataset),
    [`GET ${one}/versions`]: list(version(2, { tags: ['latest', 'train'] }), version(1)),
    [`GET ${one}/acts`]: { items: [] },
    ...answers,
  });
  const sent = (call: string) => console.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);
  return { ...console, sent };
}
