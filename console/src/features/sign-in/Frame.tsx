/** The quiet frame of the pages before the console proper. */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useT } from '@/app/i18n';
import mark from '@/app/mark.svg';
import { LanguageMenu, ThemeMenu } from '@/app/frame/Menus';
import style from './SignIn.module.css';

export function Frame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const t = useT();
  useEffect(() => {
    document.title = `${title} · Danlu`;
  }, [title]);
  return (
    <div className={style.frame}>
      <header className={style.tools}>
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main className={style.main}>
        <div className={style.brand}>
          <img src={mark} width={36} height={36} alt="" />
          {t('brand')}
        </div>
        <div className={style.card}>
          <h1 className={style.title}>{title}</h1>
          <p className={style.text}>{text}</p>
          {children}
        </div>
        <p className={style.about}>{t('signIn.about')}</p>
      </main>
    </div>
  );
}
