/** A sign-in link, which is shown this once. */
import { Button } from '@mantine/core';
import type { SignInLink } from '@/api/people';
import { useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { Notice } from '@/ui/page/Panel';
import { Exact } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Users.module.css';

export function LinkOnce({ link: { url, expires_at }, text, onClose }: { link: SignInLink; text: string; onClose: () => void }) {
  const t = useT();
  return (
    <div className={layout.stack}>
      <p>{text}</p>
      <Notice tone="amber" icon="warning" title={t('people.linkOnce')} />
      <code className={`${ink.secret} ${style.link}`}>{url}</code>
      <p className={style.quiet}>
        {t('people.linkUntil')} <Exact at={expires_at} />
      </p>
      <div className={layout.ends}>
        <Copy words text={url} label={t('people.copyLink')} />
        <Button onClick={onClose}>{t('action.done')}</Button>
      </div>
    </div>
  );
}
