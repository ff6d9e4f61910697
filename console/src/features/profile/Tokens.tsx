/** API tokens: listed, made, revoked. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { listTokens, revokeToken, sessionKeys } from '@/api/session';
import type { Token } from '@/api/session';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ago, Exact } from '@/ui/words/Time';
import style from './Profile.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const NewToken = lazy(() => import('./NewToken'));

export function Tokens() {
  const t = useT();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const tokens = useQuery({ queryKey: sessionKeys.tokens, queryFn: ({ signal }) => listTokens(signal) });
  const columns = useTokenColumns(setRevoking);
  const create = (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setMaking(true)}>
      {t('tokens.new')}
    </Button>
  );
  return (
    <Panel title={t('tokens.title')} aside={create} flush>
      {tokens.isPending && <Skeleton rows={3} />}
      {tokens.isError && <ErrorState error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.data?.length === 0 && (
        <EmptyState icon="key" title={t('tokens.none')}>
          {t('tokens.noneText')}
        </EmptyState>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <DataTable label={t('tokens.title')} columns={columns} rows={tokens.data} rowKey={(token) => token.id} />
      )}
      {making && (
        <Suspense fallback={null}>
          <NewToken onClose={() => setMaking(false)} />
        </Suspense>
      )}
      {revoking && <Revoke token={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function useTokenColumns(onRevoke: (token: Token) => void): Column<Token>[] {
  const t = useT();
  return useMemo(
    () => [
      { id: 'name', header: t('jobs.name'), cell: (token) => token.name },
      { id: 'created', header: t('jobs.created'), width: '120px', cell: (token) => <Ago at={token.created_at} /> },
      {
        id: 'used',
        header: t('tokens.used'),
        width: '120px',
        cell: (token) => (token.last_used_at ? <Ago at={token.last_used_at} /> : t('tokens.never')),
      },
      {
        id: 'expires',
        header: t('tokens.expires'),
        width: '180px',
        cell: (token) => (token.expires_at ? <Exact at={token.expires_at} /> : t('tokens.never')),
      },
      {
        id: 'actions',
        header: t('jobs.actions'),
        hiddenHeader: true,
        width: '100px',
        align: 'right',
        cell: (token) => (
          <button
            type="button"
            className={style.revoke}
            aria-label={t('tokens.revokeName', { name: token.name })}
            onClick={() => onRevoke(token)}
          >
            {t('tokens.revoke')}
          </button>
        ),
      },
    ],
    [t, onRevoke],
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const t = useT();
  const revoke = useSave({
    save: () => revokeToken(token.id),
    close: onClose,
    invalidate: [sessionKeys.tokens],
    failed: t('tokens.revokeFailed'),
  });
  return (
    <Suspense fallback={null}>
      <Confirm
        title={t('tokens.revokeName', { name: token.name })}
        text={t('tokens.revokeText')}
        action={t('tokens.revoke')}
        busy={revoke.isPending}
        onConfirm={revoke.mutate}
        onClose={onClose}
      />
    </Suspense>
  );
}
