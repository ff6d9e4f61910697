/** Signing in: with a password, or by a one-time link. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/problem';
import { signIn, signInByLink } from '@/api/session';
import type { Session } from '@/api/types';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { adoptSession } from '@/app/session';
import { Notice } from '@/ui/Panel';
import { errorText } from '@/ui/States';
import { Frame } from './Frame';
import style from './SignIn.module.css';

const route = getRouteApi('/sign-in');

/** A code works once: effects that run twice must share one request. */
const linkRequests = new Map<string, Promise<Session>>();

export function SignInPage() {
  const t = useT();
  const { code } = route.useSearch();
  const enter = useEnter();
  const link = useMutation({
    mutationFn: (linkCode: string) => {
      const request = linkRequests.get(linkCode) ?? signInByLink(linkCode);
      linkRequests.set(linkCode, request);
      return request;
    },
    onSuccess: enter,
  });
  const { mutate } = link;
  useEffect(() => {
    if (code) mutate(code);
  }, [code, mutate]);

  if (code && !link.isError) return <Frame title={t('signIn.title')} text={t('signIn.byLink')}>{null}</Frame>;
  return (
    <Frame title={t('signIn.title')} text={t('signIn.text')}>
      {link.isError && (
        <div className={style.refused}>
          <Notice tone="amber" icon="warning" role="alert" title={t('signIn.linkFailed')}>{errorText(link.error, t)}</Notice>
        </div>
      )}
      <PasswordForm onSession={enter} />
    </Frame>
  );
}

function PasswordForm({ onSession }: { onSession: (session: Session) => void }) {
  const t = useT();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: () => signIn(username.trim(), password), onSuccess: onSession });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <form className={style.form} onSubmit={submit}>
      {attempt.isError && <Notice tone="red" icon="failed" role="alert" title={refusal(attempt.error, t)} />}
      <TextInput
        label={t('signIn.username')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth size="sm" loading={attempt.isPending}>{t('signIn.submit')}</Button>
    </form>
  );
}

function refusal(error: unknown, t: Translate): string {
  return error instanceof ApiError && error.status === 401 ? t('signIn.wrong') : errorText(error, t);
}

/** Takes the session into use and goes where the person wanted to go. */
function useEnter(): (session: Session) => void {
  const router = useRouter();
  const { next } = route.useSearch();
  return (session) => {
    adoptSession(session);
    if (session.must_set_password) void router.navigate({ to: '/set-password', search: { next }, replace: true });
    else router.history.replace(ownPath(next));
  };
}

/** Only paths of this console: an address with a host could lead anywhere. */
function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
