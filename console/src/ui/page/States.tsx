/** What a page shows when there is nothing to show: empty, failed, loading. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, UNREACHABLE } from '@/api/problem';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { mistakeText, problemText, withWhomToAsk } from '@/app/refusals';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './States.module.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** For one panel among several. */
  small?: boolean | undefined;
}

export function EmptyState({ icon, title, children, action, small }: EmptyProps) {
  return (
    <div className={style.empty} data-small={small || undefined}>
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
export function ErrorState({ error, retry, small }: { error: unknown; retry: () => void; small?: boolean }) {
  const t = useT();
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState icon="key" title={t('error.forbidden')} small={small}>
        {problemText(error.problem)}
      </EmptyState>
    );
  }
  const action = (
    <Button variant="default" leftSection={<Icon name="restart" />} onClick={retry}>
      {t('action.retry')}
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState icon="warning" title={t('error.title')} action={action} small={small}>
        {errorText(error, t)}
      </EmptyState>
    </div>
  );
}

/** One sentence for any failure. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('error.unexpected');
  if (error.problem.type === UNREACHABLE) return t('error.unreachable');
  // Of mistakes at fields the sum says only how many there are.
  const mistakes = error.problem.errors.map(mistakeText);
  return mistakes.length > 0 ? withWhomToAsk(error.problem, mistakes.join(t('error.between'))) : problemText(error.problem);
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
