/** How much of the person's quota is left for a job like this one; nothing where nothing is limited. */
import { useQuery } from '@tanstack/react-query';
import { getUserQuota, quotaKeys } from '@/api/rules/quotas';
import { useT } from '@/app/i18n';
import { byResource, formatAmount, resourceName } from '@/parts/quotas/words';
import { classOf } from '../file/reading';
import { useForm } from './context';
import { leftOf } from './quota-left';
import ink from '@/ui/theme/ink.module.css';

const FRESH_MS = 30_000;

export function QuotaLeft() {
  const t = useT();
  const { file, choices } = useForm();
  const { name } = choices.me;
  const use = useQuery({
    queryKey: quotaKeys.use('user', name),
    queryFn: ({ signal }) => getUserQuota(name, signal),
    staleTime: FRESH_MS,
    retry: false,
  });
  const left = leftOf(use.data?.items ?? [], classOf(file));
  if (left.size === 0) return null;
  const amounts = [...left]
    .toSorted(([a], [b]) => byResource(a, b))
    .map(([resource, amount]) =>
      t('form.quotaLeftOf', { amount: formatAmount(resource, amount), resource: inSentence(resourceName(resource, t)) }),
    )
    .join(' · ');
  return (
    <p className={[...left.values()].some((amount) => amount === 0) ? ink.error : ink.fine} role="status">
      {t('form.quotaLeft', { amounts })}
    </p>
  );
}

/** `tasks` of `Tasks`; abbreviations and models stay. */
const inSentence = (word: string): string => (/^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word);
