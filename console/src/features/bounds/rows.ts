/** Quotas, limits, caps and budgets as rows of one table: what bounds whom, by how much, and where to change it. */
import type { Limit } from '@/api/rules/limits';
import type { PriorityClass } from '@/api/rules/priorities';
import type { Project } from '@/api/rules/projects';
import type { Quota } from '@/api/rules/quotas';
import type { Translate } from '@/app/i18n';
import { byClass, byResource, className, formatAmount, resourceName } from '@/parts/quotas/words';
import { formatCount } from '@/ui/words/format';

export const SORTS = ['quota', 'limit', 'cap', 'budget'] as const;
export type Sort = (typeof SORTS)[number];

export interface Row {
  key: string;
  sort: Sort;
  /** Who is bounded. */
  whom: string;
  /** What of theirs counts: a class of jobs, a priority. */
  within: string;
  amount: string;
  /** Of a cap, the project it belongs to. */
  project?: string;
}

interface Rules {
  quotas: readonly Quota[];
  limits: readonly Limit[];
  projects: readonly Project[];
  priorities: readonly PriorityClass[];
}

export function rowsOf({ quotas, limits, projects, priorities }: Rules, t: Translate): Row[] {
  return [
    ...quotas.flatMap((quota) => quotaRows(quota, t)),
    ...limits.map((limit) => limitRow(limit, t)),
    ...projects.filter(({ cap }) => Object.keys(cap).length > 0).map((project) => capRow(project, t)),
    ...priorities.flatMap(({ name, budget }): Row[] =>
      budget === null
        ? []
        : [
            {
              key: `budget ${name}`,
              sort: 'budget',
              whom: t('bounds.eachPerson'),
              within: t('bounds.atPriority', { name }),
              amount: t('bounds.hours', { count: formatCount(budget) }),
            },
          ],
    ),
  ];
}

function quotaRows({ name, amounts }: Quota, t: Translate): Row[] {
  return Object.entries(amounts)
    .toSorted(([a], [b]) => byClass(a, b))
    .map(([jobClass, of]) => ({
      key: `quota ${name} ${jobClass}`,
      sort: 'quota',
      whom: whose(name, t),
      within: className(jobClass, t),
      amount: amountsInWords(of, t),
    }));
}

function limitRow({ name, user, project, class: jobClass, gpus, max_time: time }: Limit, t: Translate): Row {
  const parts = [
    user === '*' ? t('bounds.eachPerson') : user,
    project === '*' ? t('bounds.eachProject') : project && t('bounds.project', { name: project }),
  ].filter(Boolean);
  return {
    key: `limit ${name}`,
    sort: 'limit',
    whom: parts.length > 0 ? parts.join(' · ') : t('bounds.everybody'),
    within: className(jobClass ?? 'all', t),
    amount: [gpus !== null && t('bounds.atOnce', { count: formatCount(gpus) }), time !== null && t('bounds.forTime', { time })]
      .filter(Boolean)
      .join(' · '),
  };
}

function capRow({ name, cap }: Project, t: Translate): Row {
  return {
    key: `cap ${name}`,
    sort: 'cap',
    whom: t('bounds.project', { name }),
    within: className('all', t),
    amount: amountsInWords(cap, t),
    project: name,
  };
}

/** `user:lin` is lin's, `group:nlp` that of a group together, `default` everybody's who has none. */
function whose(name: string, t: Translate): string {
  const at = name.indexOf(':');
  if (at === -1) return t('bounds.eachPerson');
  return name.startsWith('group:') ? t('bounds.group', { name: name.slice(at + 1) }) : name.slice(at + 1);
}

function amountsInWords(amounts: Record<string, number | null>, t: Translate): string {
  return Object.entries(amounts)
    .toSorted(([a], [b]) => byResource(a, b))
    .map(([resource, amount]) => `${amount === null ? t('bounds.unbounded') : formatAmount(resource, amount)} ${resourceName(resource, t)}`)
    .join(' · ');
}
