/** The frame around every page: header, navigation, the page itself. */
import { ActionIcon } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { useT } from './i18n';
import type { MessageKey } from './i18n';
import mark from './mark.svg';
import { LanguageMenu, ThemeButton, UserMenu } from './Menus';
import { live, useLiveStatus } from './queries';
import style from './Shell.module.css';

const PLACES = [
  { to: '/jobs', icon: 'jobs', label: 'nav.jobs' },
  { to: '/nodes', icon: 'nodes', label: 'nav.nodes' },
  { to: '/profile', icon: 'user', label: 'nav.profile' },
] as const satisfies readonly { to: string; icon: IconName; label: MessageKey }[];

export function Shell() {
  const t = useT();
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });

  useEffect(() => live.start(), []);
  useEffect(() => setOpen(false), [path]);

  return (
    <div className={style.shell}>
      <a className={style.skip} href="#main" onClick={skipToMain}>
        {t('nav.skip')}
      </a>
      <header className={style.header}>
        <ActionIcon className={style.burger} aria-label={t('nav.menu')} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'close' : 'menu'} />
        </ActionIcon>
        <Link to="/jobs" className={style.brand}>
          <img src={mark} width={24} height={24} alt="" />
          {t('brand')}
        </Link>
        <LiveMark />
        <div className={style.tools}>
          <LanguageMenu />
          <ThemeButton />
          <UserMenu />
        </div>
      </header>
      <nav className={style.sidebar} data-open={open || undefined} aria-label={t('nav.label')}>
        {PLACES.map(({ to, icon, label }) => (
          <Link key={to} to={to} className={style.place} activeProps={{ className: style.here, 'aria-current': 'page' }}>
            <Icon name={icon} />
            {t(label)}
          </Link>
        ))}
      </nav>
      <main id="main" className={style.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** By script, because a plain fragment would resolve against the page's base element. */
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Says so when the page may be behind; silent while all is well. */
function LiveMark() {
  const t = useT();
  const status = useLiveStatus();
  return (
    <div role="status" className={style.live}>
      {status === 'lost' && (
        <span className={style.lost} title={t('live.lostMore')}>
          <Icon name="warning" size={14} />
          {t('live.lost')}
        </span>
      )}
    </div>
  );
}
