/** Quotas in a few words. */
import type { Quota, QuotaAmounts } from '@/api/rules/quotas';
import type { Translate } from '@/app/i18n';
import { byClass, byResource, className, formatAmount, resourceName, storageName } from '@/parts/quotas/words';
import { formatBytes } from '@/ui/words/format';

export type Whose = 'default' | 'user' | 'group';

/** `user:lin` is lin's. */
export function whoseIs(name: string): { kind: Whose; whom: string } {
  const at = name.indexOf(':');
  return at === -1 ? { kind: 'default', whom: '' } : { kind: name.slice(0, at) as Whose, whom: name.slice(at + 1) };
}

/** As a person is called, or everybody. */
export const called = (name: string, t: Translate): string => whoseIs(name).whom || t('quotas.everybody');

export function amountWords(amounts: QuotaAmounts, t: Translate): string {
  return Object.entries(amounts)
    .toSorted(([a], [b]) => byClass(a, b))
    .map(([jobClass, of]) => `${className(jobClass, t)}: ${resourceWords(of, t)}`)
    .join(' · ');
}

function resourceWords(amounts: Record<string, number | null>, t: Translate): string {
  return Object.entries(amounts)
    .toSorted(([a], [b]) => byResource(a, b))
    .map(([resource, amount]) => `${amount === null ? t('quotas.noLimit') : formatAmount(resource, amount)} ${resourceName(resource, t)}`)
    .join(', ');
}

export function storageWords({ storage }: Quota, t: Translate): string {
  return Object.entries(storage)
    .map(([type, size]) => `${storageName(type, t)}: ${size === null ? t('quotas.noLimit') : formatBytes(size)}`)
    .join(' · ');
}
