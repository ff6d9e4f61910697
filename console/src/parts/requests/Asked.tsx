/** How much more quota somebody asks for, and for how long. */
import type { AccessRequest } from '@/api/requests';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { LIVES } from '@/parts/quotas/lives';
import { byClass, byResource, className, formatAmount, resourceName } from '@/parts/quotas/words';

export function Asked({ asked: { amounts, life } }: { asked: NonNullable<AccessRequest['asked']> }) {
  const t = useT();
  const lines = Object.entries(amounts)
    .toSorted(([one], [other]) => byClass(one, other))
    .map(([name, wanted]) => {
      const parts = Object.entries(wanted).toSorted(([one], [other]) => byResource(one, other));
      return `${className(name, t)}: ${parts.map(([resource, amount]) => `${resourceName(resource, t)} ${amount === null ? t('requests.unlimited') : formatAmount(resource, amount)}`).join(', ')}`;
    });
  return (
    <p>
      {lines.join(' · ')} · {t('requests.life', { life: lifeWords(life, t) })}
    </p>
  );
}

function lifeWords(life: string, t: Translate): string {
  const known = LIVES.find(({ value }) => value === life);
  return known ? t(known.word, { count: known.count }) : life;
}
