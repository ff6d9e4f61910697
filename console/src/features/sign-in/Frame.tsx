/** The quiet frame of the pages before the console proper. */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useT } from '@/app/i18n';
import mark from '@/app/mark.svg';
import { LanguageMenu, ThemeButton } from '@/app/Menus';
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
        <ThemeButton />
      </header>
      <main className={style.card}>
        <div className={style.brand}>
          <img src={mark} width={32} height={32} alt="" />
          {t('brand')}
        </div>
        <h1 className={style.title}>{title}</h1>
        <p className={style.text}>{text}</p>
        {children}
      </main>
    </div>
  );
}
