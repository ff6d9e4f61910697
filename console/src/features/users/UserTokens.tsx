/** The tokens of a person, for those who manage accounts: to look at and to revoke. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { listUserTokens, revokeAnyToken, userKeys } from '@/api/people';
import type { AnybodysToken } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Ago, Exact } from '@/ui/words/Time';
import layout from '@/ui/page/layout.module.css';
import style from './Users.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

export function UserTokens({ name }: { name: string }) {
  const t = useT();
  const [revoking, setRevoking] = useState<AnybodysToken | null>(null);
  const found = useQuery({ queryKey: userKeys.tokens(name), queryFn: ({ signal }) => listUserTokens(name, signal) });
  return (
    <Panel title={t('people.tokens')}>
      {found.isPending && <Skeleton rows={2} />}
      {found.isError && <ErrorState small error={found.error} retry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p className={style.quiet}>{t('people.noTokens')}</p>}
      {found.data && found.data.length > 0 && (
        <ul className={layout.facing}>
          {found.data.map((token) => (
            <Line key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      {revoking && <Revoke token={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function Line({ token, onRevoke }: { token: AnybodysToken; onRevoke: () => void }) {
  const t = useT();
  return (
    <li>
      <span>
        <strong>{token.name}</strong>{' '}
        <span className={style.quiet}>
          {t('people.tokenMade')} <Ago at={token.created_at} /> · {t('people.tokenUsed')}{' '}
          {token.last_used_at ? <Ago at={token.last_used_at} /> : t('people.tokenNever')} · {t('people.tokenExpires')}{' '}
          {token.expires_at ? <Exact at={token.expires_at} /> : t('people.tokenNever')}
          {token.scopes.length > 0 && ` · ${token.scopes.join(', ')}`}
        </span>
      </span>
      <button type="button" className={style.revoke} aria-label={t('people.revokeName', { name: token.name })} onClick={onRevoke}>
        {t('people.revoke')}
      </button>
    </li>
  );
}

function Revoke({ token, onClose }: { token: AnybodysToken; onClose: () => void }) {
  const t = useT();
  const revoke = useSave({
    save: () => revokeAnyToken(token.id),
    close: onClose,
    invalidate: [userKeys.one(token.user)],
    failed: t('people.revokeFailed'),
  });
  return (
    <Suspense fallback={null}>
      <Confirm
        title={t('people.revokeName', { name: token.name })}
        text={t('people.revokeText', { user: token.user })}
        action={t('people.revoke')}
        busy={revoke.isPending}
        onConfirm={revoke.mutate}
        onClose={onClose}
      />
    </Suspense>
  );
}
