/** Signing in: with a password, or by a one-time link. */
import '@/ui/theme/kit-forms.css';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/problem';
import { listProviders, providerPath, signIn, signInByLink } from '@/api/session';
import type { Session } from '@/api/session';
import type { Translate } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { adoptSession } from '@/app/session';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { Frame } from './Frame';
import { ownPath } from './next';
import { takeRefusal } from './refusal';
import layout from '@/ui/page/layout.module.css';
import style from './SignIn.module.css';

const route = getRouteApi('/sign-in');

/** A code works once: effects that run twice must share one request. */
const linkRequests = new Map<string, Promise<Session>>();

export function SignInPage() {
  const t = useT();
  const { code } = route.useSearch();
  const [refused] = useState(takeRefusal);
  const say = useSentence();
  const enter = useEnter();
  const link = useMutation({
    mutationFn: (linkCode: string) => {
      const request = linkRequests.get(linkCode) ?? signInByLink(linkCode);
      linkRequests.set(linkCode, request);
      return request;
    },
    onSuccess: (session, linkCode) => {
      linkRequests.delete(linkCode);
      enter(session);
    },
  });
  const { mutate } = link;
  useEffect(() => {
    if (code) mutate(code);
  }, [code, mutate]);

  if (code && !link.isError)
    return (
      <Frame title={t('signIn.title')} text={t('signIn.byLink')}>
        {null}
      </Frame>
    );
  return (
    <Frame title={t('signIn.title')} text={t('signIn.text')}>
      {link.isError && (
        <div className={style.refused}>
          <Notice tone="amber" icon="warning" role="alert" title={t('signIn.linkFailed')}>
            {isRefused(link.error) ? t('signIn.linkOver') : errorText(link.error, t)}
          </Notice>
        </div>
      )}
      {refused && !link.isError && (
        <div className={style.refused}>
          <Notice tone="amber" icon="warning" role="alert" title={t('signIn.providerRefused')}>
            {say(refused)}
          </Notice>
        </div>
      )}
      <PasswordForm onSession={enter} />
      <Providers />
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
    <form className={`${layout.parts} ${style.form}`} onSubmit={submit}>
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
      <Button type="submit" fullWidth size="sm" loading={attempt.isPending}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}

/** A button for each of the organisation's providers; nothing where there are none. */
function Providers() {
  const t = useT();
  const { next } = route.useSearch();
  const { data } = useQuery({ queryKey: ['providers'], queryFn: ({ signal }) => listProviders(signal), staleTime: Infinity });
  if (!data?.length) return null;
  return (
    <div className={style.providers}>
      <div className={style.or}>{t('signIn.or')}</div>
      {data.map((one) => (
        <Button key={one.name} component="a" href={providerPath(one.name, ownPath(next))} variant="default" fullWidth size="sm">
          {t('signIn.with', { provider: one.title })}
        </Button>
      ))}
    </div>
  );
}

function refusal(error: unknown, t: Translate): string {
  return isRefused(error) ? t('signIn.wrong') : errorText(error, t);
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Takes the session into use and goes where the person wanted to go. */
function useEnter(): (session: Session) => void {
  const router = useRouter();
  const { next } = route.useSearch();
  return (session) => {
    adoptSession(session);
    if (session.must_set_password) void router.navigate({ to: '/set-password', search: { next }, replace: true });
    else void router.navigate({ href: ownPath(next), replace: true });
  };
}
