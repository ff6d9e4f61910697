/** The navigation: beside the page, narrow where room is scarce, a drawer on phones. */
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/ui/icons';
import { useT } from '../i18n';
import mark from '../mark.svg';
import type { Place, Section } from '../places';
import { useSections } from '../session';
import { remember, stored } from '../storage';
import { useToDecide } from './useToDecide';
import { useWidth } from './width';
import style from './Sidebar.module.css';

const STORAGE_KEY = 'danlu.sidebar';
const FOLDS_KEY = 'danlu.sections';
/** Those who govern do so seldom: their places open when they are wanted, and stay as they were left. */
const FOLDED_AT_FIRST: ReadonlySet<Section['id']> = new Set(['govern']);
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
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [folds, setFolds] = useState(readFolds);
  const fold = (id: Section['id'], folded: boolean) => {
    const next = { ...folds, [id]: folded };
    setFolds(next);
    remember(FOLDS_KEY, JSON.stringify(next));
  };
  return (
    <div className={style.sections}>
      {useSections().map((section) => (
        <SectionPlaces
          key={section.id}
          section={section}
          narrow={narrow}
          folded={section.title !== undefined && (folds[section.id] ?? FOLDED_AT_FIRST.has(section.id))}
          here={section.places.find(({ to }) => leadsTo(to, path))}
          onFold={(folded) => fold(section.id, folded)}
        />
      ))}
    </div>
  );
}

interface SectionProps {
  section: Section;
  narrow: boolean;
  folded: boolean;
  /** The place that one is at: it stays in sight. */
  here: Place | undefined;
  onFold: (folded: boolean) => void;
}

function SectionPlaces({ section: { id, title, places }, narrow, folded, here, onFold }: SectionProps) {
  const t = useT();
  const list = useId();
  const shown = folded ? places.filter((place) => place === here) : places;
  return (
    <div className={style.section} data-section={id}>
      {title && (
        <button
          type="button"
          className={style.heading}
          aria-expanded={!folded}
          aria-controls={list}
          title={narrow ? t(title) : undefined}
          onClick={() => onFold(!folded)}
        >
          <span className={style.label}>{t(title)}</span>
          <Icon name="down" size={14} />
        </button>
      )}
      <ul id={list} className={style.places} aria-label={title && t(title)}>
        {shown.map((place) => (
          <li key={place.to}>
            <PlaceLink place={place} narrow={narrow} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const leadsTo = (to: string, path: string): boolean => path === to || (to !== '/' && path.startsWith(`${to}/`));

/** What was folded or opened by hand; whatever else the storage holds counts for nothing. */
function readFolds(): Partial<Record<Section['id'], boolean>> {
  try {
    const kept: unknown = JSON.parse(stored(FOLDS_KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
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
