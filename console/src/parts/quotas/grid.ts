/** Amounts of quotas as they are typed: a word for each class and resource, empty where nothing is said. */
import type { QuotaAmounts } from '@/api/rules/quotas';
import { parseSize, writeSize } from '@/parts/quantities';
import { formatCount } from '@/ui/words/format';
import { QUOTA_RESOURCES } from './words';

export type Cells = Partial<Record<string, string>>;

/** How no limit is written. */
export const NO_LIMIT = '∞';
const NO_LIMITS = new Set([NO_LIMIT, '-', '–', 'unlimited', '不限']);

export const cellOf = (jobClass: string, resource: string): string => `${jobClass}.${resource}`;

export function cellsOf(amounts: QuotaAmounts): Cells {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([jobClass, of]) =>
      Object.entries(of).map(([resource, amount]) => [cellOf(jobClass, resource), typed(resource, amount)]),
    ),
  );
}

/** What is no amount goes as it is: the server says what is wrong with it. */
export function amountsOf(cells: Cells): QuotaAmounts {
  const amounts: Record<string, Record<string, unknown>> = {};
  for (const [cell, text] of Object.entries(cells)) {
    if (!text?.trim()) continue;
    const at = cell.indexOf('.');
    const [jobClass, resource] = [cell.slice(0, at), cell.slice(at + 1)];
    amounts[jobClass] = { ...amounts[jobClass], [resource]: amountOf(resource, text) };
  }
  return amounts as QuotaAmounts;
}

export function amountOf(resource: string, text: string): number | string | null {
  const said = text.trim();
  if (NO_LIMITS.has(said.toLowerCase())) return null;
  if (resource !== 'memory') return Number.isNaN(Number(said)) ? said : Number(said);
  // A bare number of bytes is nobody's wish: it means GiB.
  return parseSize(/^\d+(\.\d+)?$/.test(said) ? `${said}GiB` : said) ?? said;
}

export function typed(resource: string, amount: number | null): string {
  if (amount === null) return NO_LIMIT;
  return resource === 'memory' ? (amount === 0 ? '0' : writeSize(amount)) : formatCount(amount);
}

/** The GPU models that these amounts speak of. */
export function modelsIn(amounts: QuotaAmounts): string[] {
  const named = new Set(Object.values(amounts).flatMap((of) => Object.keys(of)));
  return [...named].filter((name) => !(QUOTA_RESOURCES as readonly string[]).includes(name)).toSorted();
}
