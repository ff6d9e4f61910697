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

/** What time it is, and how a time is written. */
export interface Clock {
  now: number;
  write: (at: string) => string;
}

export function rowsOf({ quotas, limits, projects, priorities }: Rules, clock: Clock, t: Translate): Row[] {
  const usual = quotas.find(({ name }) => name === 'default');
  return [
    ...quotas.flatMap((quota) => quotaRows(quota, quota.name.startsWith('user:') ? usual : undefined, clock, t)),
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

/** Raises count while they last; `usual` is what holds for a person whose own quota says nothing of it. */
function quotaRows({ name, amounts, raises }: Quota, usual: Quota | undefined, clock: Clock, t: Translate): Row[] {
  const lasting = raises.filter(({ until }) => Date.parse(until) > clock.now);
  const classes = new Set([amounts, ...lasting.map((raise) => raise.amounts)].flatMap((each) => Object.keys(each)));
  return [...classes].toSorted(byClass).map((jobClass) => {
    const named = [amounts[jobClass], ...lasting.map((raise) => raise.amounts[jobClass])].flatMap((of) => Object.keys(of ?? {}));
    const words = [...new Set(named)].toSorted(byResource).map((resource) => {
      const own = amounts[jobClass]?.[resource];
      const base = own === undefined ? usual?.amounts[jobClass]?.[resource] : own;
      return inForce(jobClass, resource, base, lasting, clock, t);
    });
    return {
      key: `quota ${name} ${jobClass}`,
      sort: 'quota',
      whom: whose(name, t),
      within: className(jobClass, t),
      amount: words.join(' · '),
    };
  });
}

const most = (amount: number | null | undefined): number => (amount === null ? Infinity : (amount ?? -1));

function inForce(
  jobClass: string,
  resource: string,
  base: number | null | undefined,
  raises: Quota['raises'],
  clock: Clock,
  t: Translate,
): string {
  let best: { amount: number | null | undefined; until?: string } = { amount: base };
  for (const { amounts, until } of raises) {
    const amount = amounts[jobClass]?.[resource];
    if (amount !== undefined && most(amount) > most(best.amount)) best = { amount, until };
  }
  const amount = amountInWords(resource, best.amount ?? null, t);
  if (best.until === undefined) return amount;
  const until = clock.write(best.until);
  if (base === undefined || base === null) return t('bounds.raisedTo', { amount, until });
  return t('bounds.raisedFrom', { amount, from: formatAmount(resource, base), until });
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
    .map(([resource, amount]) => amountInWords(resource, amount, t))
    .join(' · ');
}

function amountInWords(resource: string, amount: number | null, t: Translate): string {
  return `${amount === null ? t('bounds.unbounded') : formatAmount(resource, amount)} ${resourceName(resource, t)}`;
}
