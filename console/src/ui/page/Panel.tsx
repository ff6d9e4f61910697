/** The plain building blocks of pages: a page with its title, a panel, facts, a notice. */
import { Link, useLocation } from '@tanstack/react-router';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useT } from '@/app/i18n';
import { recordVisit } from '@/app/frame/visits';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import type { Tone } from '@/ui/words/Status';
import ink from '@/ui/theme/ink.module.css';
import style from './Panel.module.css';

export type Crumb = LinkProps & { label: string };

interface PageProps {
  title: string;
  /** What stands in the heading instead of the bare title. */
  heading?: ReactNode;
  actions?: ReactNode;
  /** The pages above this one: breadcrumbs. */
  trail?: Crumb[];
  children: ReactNode;
  /** Fills the window's height: the content scrolls, not the page. */
  fill?: boolean;
}

export function Page({ title, heading, actions, trail, children, fill }: PageProps) {
  const t = useT();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · Danlu`;
    recordVisit({ path, title });
  }, [path, title]);
  return (
    <div className={fill ? `${style.page} ${style.fill}` : style.page}>
      {trail && (
        <nav className={style.trail} aria-label={t('nav.trail')}>
          <ol>
            {trail.map(({ label, ...link }) => (
              <li key={label}>
                <Link className={ink.cut} activeOptions={{ exact: true }} {...link}>
                  {label}
                </Link>
              </li>
            ))}
            <li aria-current="page">
              <span className={ink.cut}>{title}</span>
            </li>
          </ol>
        </nav>
      )}
      <div className={style.head}>
        <h1 className={style.title}>{heading ?? title}</h1>
        {actions && <div className={style.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function Panel({ title, aside, children, flush }: { title?: string; aside?: ReactNode; children: ReactNode; flush?: boolean }) {
  return (
    <section className={style.panel}>
      {title && (
        <div className={style.panelHead}>
          <h2 className={ink.heading}>{title}</h2>
          {aside}
        </div>
      )}
      <div className={flush ? style.flush : style.panelBody}>{children}</div>
    </section>
  );
}

/** `beside`: the labels at the left, for a narrow place. */
export function Facts({ items, beside }: { items: [label: string, value: ReactNode][]; beside?: boolean }) {
  return (
    <dl className={style.facts} data-beside={beside || undefined}>
      {items.map(([label, value]) => (
        <div key={label} className={style.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface NoticeProps {
  tone: Tone;
  icon: IconName;
  title: ReactNode;
  children?: ReactNode;
  role?: 'alert' | 'status';
}

export function Notice({ tone, icon, title, children, role }: NoticeProps) {
  return (
    <div className={style.notice} data-tone={tone} role={role}>
      <span className={style.noticeIcon}>
        <Icon name={icon} />
      </span>
      <div className={style.noticeText}>
        <div className={style.noticeTitle}>{title}</div>
        {children}
      </div>
    </div>
  );
}
