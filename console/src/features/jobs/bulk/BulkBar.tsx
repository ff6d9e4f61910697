/** What can be done with the chosen jobs; it stands in the foot of the table, so that nothing moves when it comes. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { JobRow } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { LOOKS } from '@/parts/jobs/actions';
import { MOST_COMPARED } from '@/parts/jobs/compared';
import { Icon } from '@/ui/icons';
import { BULK_ACTIONS, suited } from './bulk';
import type { BulkAction } from './bulk';
import type { Selection } from './selection';
import ink from '@/ui/theme/ink.module.css';
import style from '../Jobs.module.css';

const BulkDialog = lazy(() => import('./BulkDialog'));

export function BulkBar({ selection, onClone }: { selection: Selection; onClone: (job: JobRow) => void }) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  // What was chosen when the question came is what is done, whatever is chosen or updated behind it.
  const [asking, setAsking] = useState<{ action: BulkAction; jobs: JobRow[]; unsuited: number } | null>(null);
  const { jobs, gone } = selection;
  return (
    <div className={style.bulk} role="toolbar" aria-label={t('bulk.label')}>
      <span className={style.place} role="status">
        {t('bulk.chosen', { count: jobs.length })}
        {gone > 0 && <span className={ink.quiet}> {t('bulk.gone', { count: gone })}</span>}
      </span>
      {BULK_ACTIONS.map((action) => {
        const fit = suited(jobs, action, me.name);
        if (fit.length === 0) return null;
        return (
          <Button
            key={action}
            variant="default"
            className={action === 'delete' ? ink.danger : undefined}
            leftSection={<Icon name={LOOKS[action].icon} size={14} />}
            onClick={() => setAsking({ action, jobs: fit, unsuited: jobs.length - fit.length })}
          >
            {t('bulk.action', { action: t(LOOKS[action].label), count: fit.length })}
          </Button>
        );
      })}
      {jobs.length > 1 && (
        <Button
          variant="default"
          leftSection={<Icon name="chart" size={14} />}
          disabled={jobs.length > MOST_COMPARED}
          title={jobs.length > MOST_COMPARED ? t('bulk.compareBounds') : undefined}
          onClick={() => void navigate({ to: '/compare', search: { job: jobs.map(({ id }) => id) } })}
        >
          {t('bulk.compare', { count: jobs.length })}
        </Button>
      )}
      {jobs.length === 1 && (
        <Button variant="default" leftSection={<Icon name="copy" size={14} />} onClick={() => onClone(jobs[0]!)}>
          {t('job.clone')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => selection.drop()}>
        {t('bulk.drop')}
      </Button>
      <Suspense fallback={null}>
        {asking && <BulkDialog {...asking} onDone={(done) => selection.drop(done)} onClose={() => setAsking(null)} />}
      </Suspense>
    </div>
  );
}
