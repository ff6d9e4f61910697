/** The frame around every page: header, navigation, the page itself, and what lies over it. */
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useKeptAppearance } from '../appearance';
import { Header } from './Header';
import { useT } from '../i18n';
import { openOverlay, useOverlay } from './overlays';
import type { Place } from '../places';
import { live } from '../queries';
import { useMaySubmit, useSections } from '../session';
import { useShortcut } from '../shortcuts';
import { Sidebar } from './Sidebar';
import { useKeptFocus } from './useKeptFocus';
import style from './Shell.module.css';

const Palette = lazy(() => import('../palette/Palette'));
const ShortcutSheet = lazy(() => import('./ShortcutSheet'));
const closeOverlay = () => openOverlay(null);

export function Shell() {
  const t = useT();
  const main = useRef<HTMLElement>(null);
  const overlay = useOverlay();

  useEffect(() => live.start(), []);
  useKeptAppearance();
  useFocusOnNavigation(main);
  useKeptFocus(main);

  return (
    <div className={style.shell}>
      {/* By script, because a plain fragment would resolve against the page's base element. */}
      <a
        className={style.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('nav.skip')}
      </a>
      <Header />
      <Sidebar />
      <main ref={main} id="main" className={style.main} tabIndex={-1}>
        <Outlet />
      </main>
      <FrameShortcuts />
      <Suspense fallback={null}>
        {overlay === 'palette' && <Palette onClose={closeOverlay} />}
        {overlay === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
      </Suspense>
    </div>
  );
}

/** A new page takes the focus, so that the keyboard goes on where the eyes are; a page or a dialog that placed it itself keeps it. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const moved = shown.current !== undefined && shown.current !== path;
    shown.current = path;
    const taken = main.current?.contains(document.activeElement) || document.querySelector('[role="dialog"]') !== null;
    if (moved && !taken) main.current?.focus({ preventScroll: true });
  }, [main, path]);
}

function FrameShortcuts() {
  const t = useT();
  const navigate = useNavigate();
  const everywhere = { scope: 'global' } as const;
  useShortcut('mod+k', t('palette.open'), () => openOverlay('palette'), everywhere);
  useShortcut('/', t('palette.open'), () => openOverlay('palette'), everywhere);
  useShortcut('n', t('jobs.new'), () => void navigate({ to: '/jobs/new' }), { ...everywhere, enabled: useMaySubmit() });
  useShortcut('?', t('shortcuts.title'), () => openOverlay('shortcuts'), everywhere);
  return useSections()
    .flatMap(({ places }) => places)
    .map(({ keys, ...place }) => keys && <PlaceShortcut key={place.to} keys={keys} place={place} />);
}

function PlaceShortcut({ keys, place: { label, to } }: { keys: string; place: Omit<Place, 'keys'> }) {
  const t = useT();
  const navigate = useNavigate();
  useShortcut(keys, t(label), () => void navigate({ to }), { scope: 'global' });
  return null;
}
