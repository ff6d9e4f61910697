/** More for a while: it ends by itself. */
import { Button, InputBase, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ruleKeys } from '@/api/rules/keys';
import { endRaises, getGroupQuota, getUserQuota, quotaKeys, raiseQuota } from '@/api/rules/quotas';
import type { Quota, QuotaAmounts } from '@/api/rules/quotas';
import { useT } from '@/app/i18n';
import { amountsOf, cellsOf, modelsIn } from '@/parts/quotas/grid';
import type { Cells } from '@/parts/quotas/grid';
import { LIVES } from '@/parts/quotas/lives';
import { QuotaGrid } from '@/parts/quotas/QuotaGrid';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { Exact } from '@/ui/words/Time';
import { amountWords, called, whoseIs } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

export default function RaiseForm({ quota, onClose }: { quota: Quota; onClose: () => void }) {
  const t = useT();
  const [cells, setCells] = useState<Cells>({});
  const [life, setLife] = useState('7d');
  const [reason, setReason] = useState('');
  const name = called(quota.name, t);
  const now = useNow(quota);
  const done = { close: onClose, invalidate: [ruleKeys.all] };
  const raise = useSave({
    save: () => raiseQuota(quota.name, amountsOf(cells), life, reason.trim()),
    said: t('quotas.raiseDone', { name }),
    fields: /^amounts\.\w+\..+$/,
    ...done,
  });
  const end = useSave({ save: () => endRaises(quota.name), said: t('quotas.raisesEnded', { name }), ...done });
  return (
    <FormDialog
      size={760}
      title={t('quotas.raiseName', { name })}
      action={t('quotas.raise')}
      busy={raise.isPending}
      error={raise.untold ?? end.error}
      disabled={Object.keys(amountsOf(cells)).length === 0}
      onSubmit={() => raise.mutate()}
      onClose={onClose}
    >
      <p className={ink.fine}>
        {t('quotas.raiseText')} {Object.keys(now).length > 0 && t('quotas.raiseNow')}
      </p>
      {quota.raises.length > 0 && (
        <div>
          <ul className={style.listed} aria-label={t('quotas.raised')}>
            {quota.raises.map(({ amounts, until, by, reason: why }) => (
              <li key={`${until} ${by}`}>
                <span className={style.grow}>
                  {amountWords(amounts, t)}
                  {why && <span className={ink.quiet}> — {why}</span>}
                </span>
                <span className={ink.quiet}>
                  {by} · {t('quota.until')} <Exact at={until} />
                </span>
              </li>
            ))}
          </ul>
          <Button variant="default" size="compact-sm" loading={end.isPending} onClick={() => end.mutate()}>
            {t('quotas.endRaises')}
          </Button>
        </div>
      )}
      <QuotaGrid
        label={t('quotas.raiseTo')}
        cells={cells}
        mistakes={raise.mistakes}
        models={modelsIn(now)}
        now={cellsOf(now)}
        onChange={setCells}
      />
      <NativeSelect
        label={t('quota.forHowLong')}
        data={LIVES.map(({ value, word, count }) => ({ value, label: t(word, { count }) }))}
        value={life}
        onChange={(event) => setLife(event.currentTarget.value)}
      />
      <InputBase
        component="textarea"
        multiline
        size="xs"
        rows={2}
        maxLength={1000}
        label={t('quota.whatFor')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** What holds for them now, raises and the default included. */
function useNow({ name, amounts }: Quota): QuotaAmounts {
  const { kind, whom } = whoseIs(name);
  const use = useQuery({
    queryKey: quotaKeys.use(kind === 'group' ? 'group' : 'user', whom),
    queryFn: ({ signal }) => (kind === 'group' ? getGroupQuota(whom, signal) : getUserQuota(whom, signal)),
    enabled: kind !== 'default',
  });
  if (kind === 'default') return amounts;
  const now: Record<string, Record<string, number | null>> = {};
  for (const { quota, class: jobClass, resource, limit } of use.data?.items ?? []) {
    if (quota === name) now[jobClass] = { ...now[jobClass], [resource]: limit };
  }
  return now;
}
