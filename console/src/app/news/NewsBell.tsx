/** The bell: which of one's jobs ended since one last looked; opening it is looking. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { latestEnd, newerThan, newsQuery } from '@/parts/news';
import { Dropdown } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { Skeleton } from '@/ui/page/States';
import { useT } from '../i18n';
import { preferencesQuery, useChangePreferences } from '../preferences';
import { useLive } from '../queries';
import { useNewsToasts } from './useNewsToasts';
import menus from '../frame/Menus.module.css';
import style from './News.module.css';

const NewsList = lazy(() => import('./NewsList'));

/** The page itself comes first. */
const WAIT_MS = 1500;
const MOST_SHOWN = 9;

export function NewsBell() {
  const t = useT();
  const [open, setOpen] = useState(false);
  /** Up to where it was read when the bell was opened: what is new stays marked while one looks. */
  const [readTo, setReadTo] = useState<string | null>(null);
  const change = useChangePreferences();
  const preferences = useQuery(preferencesQuery).data;
  const later = useLater(WAIT_MS);
  useLive('jobs');
  const news = useQuery({ ...newsQuery, enabled: later || open });
  useNewsToasts(news.data);

  const seen = preferences?.news_seen ?? null;
  const unread = preferences && news.data ? newerThan(news.data, seen).length : 0;
  const latest = latestEnd(news.data ?? []);
  const toggle = useCallback(
    (next: boolean) => {
      setOpen(next);
      setReadTo(seen);
    },
    [seen],
  );
  // Told once, even if the server refuses and all is unread again.
  const told = useRef<string | null>(null);
  useEffect(() => {
    if (!open || unread === 0 || told.current === latest) return;
    told.current = latest;
    change({ news_seen: latest });
  }, [open, unread, latest, change]);

  const face = (
    <>
      <Icon name="bell" />
      {unread > 0 && <span className={style.badge} data-count={unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread} />}
    </>
  );
  const button = {
    className: menus.tool,
    'aria-label': unread > 0 ? t('news.unread', { count: unread }) : t('news.title'),
    title: t('news.title'),
    children: face,
  };
  return (
    <Dropdown kind="dialog" label={t('news.title')} className={style.sheet} open={open} onChange={toggle} button={button}>
      <Suspense fallback={<Skeleton rows={4} />}>
        <NewsList query={news} readTo={readTo} />
      </Suspense>
    </Dropdown>
  );
}

function useLater(wait: number): boolean {
  const [come, setCome] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCome(true), wait);
    return () => clearTimeout(timer);
  }, [wait]);
  return come;
}
