/** API tokens: listed, made (the secret is shown once), revoked. */
import { Button, CopyButton, Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { createToken, listTokens, revokeToken } from '@/api/session';
import type { Token, TokenCreated } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/DataTable';
import { Icon } from '@/ui/icons';
import { Notice, Panel } from '@/ui/Panel';
import { EmptyState, ErrorState, errorText, Skeleton } from '@/ui/States';
import { Ago } from '@/ui/Time';
import style from './Profile.module.css';

export function Tokens() {
  const t = useT();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const tokens = useQuery({ queryKey: keys.tokens, queryFn: ({ signal }) => listTokens(signal) });
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
      {tokens.data?.length === 0 && <EmptyState icon="key" title={t('tokens.none')}>{t('tokens.noneText')}</EmptyState>}
      {tokens.data && tokens.data.length > 0 && (
        <DataTable label={t('tokens.title')} columns={columns} rows={tokens.data} rowKey={(token) => token.id} />
      )}
      {making && <NewToken onClose={() => setMaking(false)} />}
      {revoking && <Revoke token={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}

function useTokenColumns(onRevoke: (token: Token) => void): Column<Token>[] {
  const t = useT();
  return useMemo(() => [
    { id: 'name', header: t('jobs.name'), cell: (token) => token.name },
    { id: 'created', header: t('jobs.created'), width: '120px', cell: (token) => <Ago at={token.created_at} /> },
    { id: 'used', header: t('tokens.used'), width: '120px', cell: (token) => (token.last_used_at ? <Ago at={token.last_used_at} /> : t('tokens.never')) },
    { id: 'expires', header: t('tokens.expires'), width: '120px', cell: (token) => (token.expires_at ? <Ago at={token.expires_at} /> : t('tokens.never')) },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '100px',
      align: 'right',
      cell: (token) => (
        <button type="button" className={style.revoke} aria-label={t('tokens.revokeName', { name: token.name })} onClick={() => onRevoke(token)}>
          {t('tokens.revoke')}
        </button>
      ),
    },
  ], [t, onRevoke]);
}

function NewToken({ onClose }: { onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [expires, setExpires] = useState<string | null>('90d');
  const make = useMutation({
    mutationFn: () => createToken(name.trim(), expires && expires !== 'never' ? expires : undefined),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.tokens }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t('tokens.new')} closeButtonProps={{ 'aria-label': t('action.close') }} closeOnClickOutside={!make.data}>
      {make.data ? (
        <Secret token={make.data} onClose={onClose} />
      ) : (
        <form className={style.form} onSubmit={submit}>
          <TextInput
            data-autofocus
            required
            withAsterisk={false}
            label={t('tokens.name')}
            description={t('tokens.nameHint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={make.error ? errorText(make.error, t) : undefined}
          />
          <Select
            label={t('tokens.expires')}
            allowDeselect={false}
            data={[
              { value: '30d', label: t('tokens.days', { count: 30 }) },
              { value: '90d', label: t('tokens.days', { count: 90 }) },
              { value: '365d', label: t('tokens.days', { count: 365 }) },
              { value: 'never', label: t('tokens.never') },
            ]}
            value={expires}
            onChange={setExpires}
          />
          <div className={style.dialogActions}>
            <Button variant="default" onClick={onClose}>{t('action.cancel')}</Button>
            <Button type="submit" loading={make.isPending}>{t('tokens.make')}</Button>
          </div>
        </form>
      )}
    </Modal>
  );
}

function Secret({ token, onClose }: { token: TokenCreated; onClose: () => void }) {
  const t = useT();
  return (
    <div className={style.form}>
      <Notice tone="amber" icon="warning" title={t('tokens.once')} />
      <code className={style.secret}>{token.secret}</code>
      <div className={style.dialogActions}>
        <CopyButton value={token.secret}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<Icon name={copied ? 'done' : 'copy'} size={14} />} onClick={copy}>
              {copied ? t('action.copied') : t('action.copy')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{t('action.done')}</Button>
      </div>
    </div>
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.tokens });
    },
    onError: (error) => notify({ bad: true, title: t('tokens.revokeFailed'), message: errorText(error, t) }),
  });
  return (
    <Modal opened onClose={onClose} title={t('tokens.revokeName', { name: token.name })} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <p>{t('tokens.revokeText')}</p>
      <div className={style.dialogActions}>
        <Button variant="default" onClick={onClose}>{t('action.cancel')}</Button>
        <Button color="red" data-autofocus loading={revoke.isPending} onClick={() => revoke.mutate()}>{t('tokens.revoke')}</Button>
      </div>
    </Modal>
  );
}
