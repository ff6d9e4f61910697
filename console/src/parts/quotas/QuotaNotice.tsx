/** A start that was refused for a quota, brought into view: the numbers, the jobs that hold it, and how to ask for more. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Shortfall } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import style from './Quotas.module.css';

const AskForMore = lazy(() => import('./AskForMore'));

export default function QuotaNotice({ shortfalls }: { shortfalls: readonly Shortfall[] }) {
  const t = useT();
  const say = useSentence();
  const [asking, setAsking] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [shortfalls]);
  return (
    <div ref={place}>
      <Notice tone="amber" icon="quotas" title={t('quota.insufficient')} role="alert">
        <ul className={style.holders}>
          {shortfalls.map((shortfall) => (
            <li key={`${shortfall.quota} ${shortfall.class} ${shortfall.resource}`}>
              <p>{say(shortfall.text)}</p>
              <Holders jobs={shortfall.jobs} />
            </li>
          ))}
        </ul>
        <p className={style.quiet}>{t('quota.stopOrAsk')}</p>
        <Button variant="default" size="compact-sm" mt={6} onClick={() => setAsking(true)}>
          {t('quota.askForMore')}
        </Button>
        {asking && (
          <Suspense fallback={null}>
            <AskForMore shortfalls={shortfalls} onClose={() => setAsking(false)} />
          </Suspense>
        )}
      </Notice>
    </div>
  );
}

/** `owner:name`; of what one may not read only the owner. */
function Holders({ jobs }: Pick<Shortfall, 'jobs'>) {
  const t = useT();
  if (jobs.length === 0) return null;
  return (
    <p className={style.quiet}>
      {t('quota.heldBy')}{' '}
      {jobs.map((job, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one person may hold it with several jobs
        <span key={`${job} ${index}`}>
          {index > 0 && ', '}
          {job.includes(':') ? (
            <Link to="/jobs/$job" params={{ job }}>
              {job}
            </Link>
          ) : (
            job
          )}
        </span>
      ))}
    </p>
  );
}
