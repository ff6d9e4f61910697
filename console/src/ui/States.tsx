/** What a page shows when there is nothing to show: empty, failed, loading. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, UNREACHABLE } from '@/api/problem';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { Icon } from './icons';
import type { IconName } from './icons';
import style from './States.module.css';

export function EmptyState({ icon, title, children, action }: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={style.empty}>
      <span className={style.icon}>
        <Icon name={icon} size={24} />
      </span>
      <h2 className={style.title}>{title}</h2>
      {children && <p className={style.text}>{children}</p>}
      {action && <div className={style.action}>{action}</div>}
    </div>
  );
}

/** A refused permission is told apart from a failure: asking again would not help. */
export function ErrorState({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useT();
  if (error instanceof ApiError && error.status === 403) {
    return <EmptyState icon="key" title={t('error.forbidden')}>{error.problem.detail}</EmptyState>;
  }
  const action = <Button variant="default" leftSection={<Icon name="restart" />} onClick={retry}>{t('action.retry')}</Button>;
  return (
    <div role="alert">
      <EmptyState icon="warning" title={t('error.title')} action={action}>{errorText(error, t)}</EmptyState>
    </div>
  );
}

/** One sentence for any failure. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('error.unexpected');
  if (error.problem.type === UNREACHABLE) return t('error.unreachable');
  return error.problem.detail ?? error.problem.title;
}

export function Skeleton({ rows = 8 }: { rows?: number }) {
  const t = useT();
  return (
    <div className={style.skeleton} role="status" aria-label={t('state.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={style.bone} style={{ width: `${92 - ((row * 37) % 45)}%` }} />
      ))}
    </div>
  );
}
