/** After a one-time link: choose a password for the next time. */
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useT } from '@/app/i18n';
import { queryClient } from '@/app/queries';
import { sessionQuery, useMe } from '@/app/session';
import { PasswordForm } from '@/ui/form/PasswordForm';
import { Frame } from './Frame';
import { ownPath } from './next';

const route = getRouteApi('/set-password');

export function SetPasswordPage() {
  const t = useT();
  const router = useRouter();
  const me = useMe();
  const { next } = route.useSearch();
  const done = async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await router.navigate({ href: ownPath(next), replace: true });
  };
  return (
    <Frame title={t('setPassword.title')} text={t('setPassword.text', { name: me.name })}>
      <PasswordForm needsCurrent={false} submitLabel={t('setPassword.submit')} onDone={() => void done()} />
    </Frame>
  );
}
