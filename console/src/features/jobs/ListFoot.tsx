/** Where one is in the list, and what arrived above it meanwhile. */
import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useLocale, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { arrivals } from './pages';
import type { JobList } from './useJobList';
import style from './Jobs.module.css';

const NONE = { count: 0, more: false };

/** So many of the first rows are remembered as seen: enough that one that is deleted does not make all others new. */
const SEEN = 50;

/** `scope` names what is listed: how much that is is said aloud once for each, not with every job that comes or goes. */
export function ListFoot({ list, scope }: { list: JobList; scope: string }) {
  const t = useT();
  const locale = useLocale();
  const number = useMemo(() => new Intl.NumberFormat(locale), [locale]);
  const place = useSyncExternalStore(list.view.watch, () => `${list.view.first} ${list.view.last}`);
  const [first = 0, last = 0] = place.split(' ').map(Number);
  const total = Math.max(list.total, list.rows.length);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!list.stale) setSaid(t('jobs.total', { count: total }));
    // oxlint-disable-next-line react/exhaustive-deps -- the total alone is no reason to speak
  }, [scope, list.stale, t]);
  return (
    <>
      <span className={style.place}>
        {t('jobs.place', { first: number.format(first + 1), last: number.format(Math.min(last + 1, total)), total: number.format(total) })}
      </span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
      {list.moreFailed && (
        <span className={style.moreFailed} role="alert">
          <Icon name="warning" size={14} />
          {t('jobs.moreFailed')}
          <Button variant="default" size="compact-xs" onClick={list.retry}>
            {t('action.retry')}
          </Button>
        </span>
      )}
    </>
  );
}

/** Jobs that came while one was reading further down: said, not shown, so that nothing moves. */
export function NewJobs({ list, onShow }: { list: JobList; onShow: () => void }) {
  const t = useT();
  const { rows, news, view, newestFirst } = list;
  const atTop = useSyncExternalStore(view.watch, () => view.first === 0);
  const seen = useRef<ReadonlySet<string>>(new Set());
  const [arrived, setArrived] = useState(NONE);
  useEffect(() => {
    if (atTop && view.first === 0) seen.current = new Set(rows.slice(0, SEEN).map(({ id }) => id));
    const newest = news.newest ?? rows.slice(0, SEEN).map(({ id }) => id);
    setArrived(newestFirst ? arrivals(newest, seen.current) : NONE);
  }, [atTop, rows, news, view, newestFirst]);
  return (
    <div className={style.arrived} role="status">
      {arrived.count > 0 && (
        <button type="button" onClick={onShow}>
          <Icon name="up" size={14} />
          {arrived.more ? t('jobs.arrivedMore', { count: arrived.count }) : t('jobs.arrived', { count: arrived.count })}
        </button>
      )}
    </div>
  );
}
