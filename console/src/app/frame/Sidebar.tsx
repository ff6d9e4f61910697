/** The navigation: beside the page, narrow where room is scarce, a drawer on phones. */
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/ui/icons';
import { useT } from '../i18n';
import mark from '../mark.svg';
import type { Place } from '../places';
import { useSections } from '../session';
import { remember, stored } from '../storage';
import { useToDecide } from './useToDecide';
import { useWidth } from './width';
import style from './Sidebar.module.css';

const STORAGE_KEY = 'danlu.sidebar';
const MOST_COUNTED = 99;

export function Sidebar() {
  const t = useT();
  const width = useWidth();
  const [chosen, setChosen] = useState(() => stored(STORAGE_KEY));
  const narrow = chosen === null ? width === 'tablet' : chosen === 'narrow';
  const toggle = () => {
    const next = narrow ? 'wide' : 'narrow';
    setChosen(next);
    remember(STORAGE_KEY, next);
  };
  if (width === 'phone') return null;
  const label = narrow ? t('nav.widen') : t('nav.narrow');
  return (
    <nav className={style.sidebar} data-narrow={narrow || undefined} aria-label={t('nav.label')}>
      <Places narrow={narrow} />
      <button type="button" className={style.toggle} aria-expanded={!narrow} aria-label={label} title={label} onClick={toggle}>
        <Icon name={narrow ? 'right' : 'left'} />
      </button>
    </nav>
  );
}

/** The same in a modal drawer; the browser keeps the focus inside and gives it back. */
export function Drawer({ onClose }: { onClose: () => void }) {
  const t = useT();
  const dialog = useRef<HTMLDialogElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const openedAt = useRef(path);
  // Before it leaves the page: only then does closing give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    if (path !== openedAt.current) onClose();
  }, [path, onClose]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it too
    <dialog
      ref={dialog}
      className={style.drawer}
      aria-label={t('nav.menu')}
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <nav className={style.inDrawer} aria-label={t('nav.label')}>
        <div className={style.top}>
          <img src={mark} width={24} height={24} alt="" />
          {t('brand')}
          <button type="button" className={style.close} aria-label={t('action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <Places narrow={false} />
      </nav>
    </dialog>
  );
}

function Places({ narrow }: { narrow: boolean }) {
  const t = useT();
  return (
    <div className={style.sections}>
      {useSections().map(({ title, places }) => (
        <div key={title ?? ''} className={style.section}>
          {title && (
            <p className={style.heading} aria-hidden={narrow}>
              {t(title)}
            </p>
          )}
          <ul className={style.places} aria-label={title && t(title)}>
            {places.map((place) => (
              <li key={place.to}>
                <PlaceLink place={place} narrow={narrow} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** How many requests wait for one's word. */
function ToDecide() {
  const t = useT();
  const count = useToDecide();
  if (count === 0) return null;
  const said = t('nav.toDecide', { count });
  return (
    <span className={style.badge} role="img" aria-label={said} title={said}>
      {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
    </span>
  );
}

function PlaceLink({ place: { to, icon, label }, narrow }: { place: Place; narrow: boolean }) {
  const t = useT();
  return (
    <Link
      to={to}
      className={style.place}
      title={narrow ? t(label) : undefined}
      activeOptions={{ exact: to === '/' }}
      activeProps={{ className: style.here, 'aria-current': 'page' }}
    >
      <Icon name={icon} size={18} />
      <span className={style.label}>{t(label)}</span>
      {to === '/requests' && <ToDecide />}
    </Link>
  );
}
