/** What is shown when a page cannot be: it crashed, or there is none. */
import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link, useRouter } from '@tanstack/react-router';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState } from '@/ui/page/States';
import { useT } from '../i18n';

export function Crash({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} retry={retry} />;
}

/** An address that leads nowhere, inside the frame. */
export function LostPage() {
  const t = useT();
  return (
    <Page title={t('notFound.title')}>
      <NotFound />
    </Page>
  );
}

export function NotFound() {
  const t = useT();
  const action = (
    <>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('nav.overview')}</Button>
      <Button variant="default" renderRoot={(props) => <Link to="/jobs" {...props} />}>
        {t('notFound.back')}
      </Button>
    </>
  );
  return (
    <EmptyState icon="search" title={t('notFound.title')} action={action}>
      {t('notFound.text')}
    </EmptyState>
  );
}
