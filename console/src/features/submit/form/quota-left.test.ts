import { expect, it } from 'vitest';
import type { QuotaLine } from '@/api/rules/quotas';
import { leftOf } from './quota-left';

const line = (part: Partial<QuotaLine>): QuotaLine => ({
  quota: 'lin',
  class: 'all',
  resource: 'gpus',
  limit: 8,
  used: 2,
  source: 'user',
  until: null,
  ...part,
});

it('what is left is the least of all limits that hold for the class', () => {
  const lines = [
    line({}),
    line({ class: 'single', limit: 4, used: 1 }),
    line({ class: 'workspace', limit: 1, used: 1 }),
    line({ resource: 'cpus', limit: null }),
    line({ resource: 'A100', quota: 'lab', source: 'group', limit: 2, used: 5 }),
  ];
  expect([...leftOf(lines, 'single')]).toEqual([
    ['gpus', 3],
    ['A100', 0],
  ]);
});
