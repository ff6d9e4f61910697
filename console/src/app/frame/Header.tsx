/** The bar above every page: where one is, search, a new job, news, and how one likes it. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '@/ui/icons';
import { Keys } from '@/ui/words/Keys';
import { useT } from '../i18n';
import mark from '../mark.svg';
import { LanguageMenu, ThemeMenu, UserMenu } from './Menus';
import { NewsBell } from '../news/NewsBell';
import { openOverlay } from './overlays';
import { useLiveStatus } from '../queries';
import { useMaySubmit } from '../session';
import { isMac } from '../shortcut-keys';
import { Drawer } from './Sidebar';
import { useWidth } from './width';
import style from './Header.module.css';
import menus from './Menus.module.css';

export function Header() {
  const t = useT();
  return (
    <header className={style.header}>
      <Burger />
      <Link to="/" className={style.brand} activeOptions={{ exact: true }}>
        <img src={mark} width={24} height={24} alt="" />
        <span className={style.brandName}>{t('brand')}</span>
      </Link>
      <SearchButton />
      <LiveMark />
      <div className={style.tools}>
        {useMaySubmit() && <NewJob />}
        <NewsBell />
        <LanguageMenu />
        <ThemeMenu />
        <UserMenu />
      </div>
    </header>
  );
}

function Burger() {
  const t = useT();
  const phone = useWidth() === 'phone';
  const [open, setOpen] = useState(false);
  if (!phone) return null;
  return (
    <>
      <button
        type="button"
        className={menus.tool}
        aria-label={t('nav.menu')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Icon name="menu" />
      </button>
      {open && <Drawer onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchButton() {
  const t = useT();
  return (
    <button
      type="button"
      className={style.search}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={() => openOverlay('palette')}
    >
      <Icon name="search" />
      <span className={style.searchText}>{t('palette.open')}</span>
      <span className={style.searchKeys} aria-hidden="true">
        <Keys keys="mod+k" />
      </span>
    </button>
  );
}

function NewJob() {
  const t = useT();
  return (
    <Button className={style.newJob} aria-label={t('jobs.new')} renderRoot={(props) => <Link to="/jobs/new" {...props} />}>
      <Icon name="plus" />
      <span className={style.newJobText}>{t('jobs.new')}</span>
    </Button>
  );
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
          <span className={style.lostText}>{t('live.lost')}</span>
        </span>
      )}
    </div>
  );
}
