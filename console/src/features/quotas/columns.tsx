/** The columns of the quotas. */
import { useMemo } from 'react';
import type { Quota } from '@/api/rules/quotas';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { actionsColumn } from '@/ui/table/actions';
import type { Column } from '@/ui/table/DataTable';
import { RowButton } from '@/ui/table/RowButton';
import { Exact } from '@/ui/words/Time';
import { amountWords, called, storageWords, whoseIs } from './words';
import type { Whose } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

/** What is open: a form for one or for many, a raise, a removal. */
export type Open = { what: 'form'; quota?: Quota; names?: string[] } | { what: 'raise' | 'end' | 'remove'; quota: Quota };

const KINDS: Partial<Record<Whose, MessageKey>> = { user: 'quotas.person', group: 'quotas.group' };

export function useQuotaColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<Quota>[] {
  const t = useT();
  return useMemo(
    () => [
      { id: 'whom', header: t('quotas.whose'), width: '18%', cell: ({ name }) => <Whom name={name} t={t} /> },
      { id: 'kind', header: t('quotas.kind'), width: '120px', hideBelow: 'phone', cell: ({ name }) => <Kind name={name} t={t} /> },
      { id: 'amounts', header: t('quotas.amounts'), cell: (quota) => <Words text={amountWords(quota.amounts, t)} /> },
      {
        id: 'storage',
        header: t('quota.storage'),
        width: '16%',
        hideBelow: 'desktop',
        cell: (quota) => <Words text={storageWords(quota, t)} />,
      },
      { id: 'raises', header: t('quotas.raised'), width: '232px', hideBelow: 'tablet', cell: (quota) => <Raises quota={quota} t={t} /> },
      ...(mayWrite
        ? [
            actionsColumn<Quota>(t, {
              name: (quota) => called(quota.name, t),
              edit: (quota) => onOpen({ what: 'form', quota }),
              remove: (quota) => onOpen({ what: 'remove', quota }),
              more: (quota) => (
                <>
                  {quota.raises.length > 0 && (
                    <RowButton
                      icon="stop"
                      label={t('quotas.endName', { name: called(quota.name, t) })}
                      onClick={() => onOpen({ what: 'end', quota })}
                    />
                  )}
                  <RowButton
                    icon="first"
                    label={t('quotas.raiseName', { name: called(quota.name, t) })}
                    onClick={() => onOpen({ what: 'raise', quota })}
                  />
                </>
              ),
              width: '148px',
            }),
          ]
        : []),
    ],
    [t, mayWrite, onOpen],
  );
}

function Whom({ name, t }: { name: string; t: Translate }) {
  return (
    <span className={style.name} title={name}>
      {called(name, t)}
    </span>
  );
}

function Kind({ name, t }: { name: string; t: Translate }) {
  const word = KINDS[whoseIs(name).kind];
  return word ? t(word) : <span className={ink.quiet}>–</span>;
}

function Words({ text }: { text: string }) {
  return text === '' ? (
    <span className={ink.quiet}>–</span>
  ) : (
    <span className={style.twoLines} title={text}>
      {text}
    </span>
  );
}

function Raises({ quota: { raises }, t }: { quota: Quota; t: Translate }) {
  const [next] = raises.toSorted((a, b) => a.until.localeCompare(b.until));
  if (!next) return <span className={ink.quiet}>–</span>;
  const to = raises.map(({ amounts }) => amountWords(amounts, t)).join(' · ');
  const title = raises.map(({ amounts, by, reason }) => `${amountWords(amounts, t)} (${by}${reason && `: ${reason}`})`).join('\n');
  return (
    <span className={style.twoLines} title={title}>
      {to}, {t('quota.until')} <Exact at={next.until} />
    </span>
  );
}
