/** Doing things with a job: a question first where it hurts, a word when it is done. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { jobKeys, titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import type { Shortfall } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useSave } from '@/parts/useSave';
import { errorText } from '@/ui/page/States';
import { shortfallsOf } from '@/parts/quotas/shortfalls';
import { DONE, LOOKS, QUESTIONS } from './actions';
import type { DirectAction, JobAction } from './actions';
import { perform } from './perform';

const Confirm = lazy(() => import('./ConfirmDialog'));
const CloneDialog = lazy(() => import('./CloneDialog'));
const QuotaDialog = lazy(() => import('@/parts/quotas/QuotaDialog'));

export type JobRef = Pick<JobRow, 'id' | 'name' | 'run' | 'numbered'>;

interface Asked {
  action: DirectAction;
  job: JobRef;
  /** From the beginning, and not from its last checkpoint. */
  fresh: boolean;
}

interface Options {
  /** Called after a job is gone. */
  onDeleted?: () => void;
}

/** `run` begins an action; `dialogs` must be somewhere on the page. */
export function useJobActions({ onDeleted }: Options = {}): {
  run: (action: JobAction, job: JobRef, fresh?: boolean) => void;
  dialogs: ReactNode;
} {
  const t = useT();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asked | null>(null);
  const [cloning, setCloning] = useState<JobRef | null>(null);
  const [short, setShort] = useState<{ name: string; shortfalls: Shortfall[] } | null>(null);

  const direct = useSave({
    save: ({ action, job, fresh }: Asked) => {
      setAsking(null);
      return perform(client, action, job, fresh);
    },
    close: (_, { action }) => action === 'delete' && onDeleted?.(),
    said: (_, { action, job }) => t(DONE[action], { name: titleOf(job) }),
    refused: (error, { action, job }) => {
      const shortfalls = shortfallsOf(error);
      if (shortfalls) setShort({ name: titleOf(job), shortfalls });
      else
        notify({
          bad: true,
          title: t('failed.action', { action: t(LOOKS[action].label), name: titleOf(job) }),
          message: errorText(error, t),
        });
    },
    invalidate: ({ action, job }, error) => (error || action !== 'delete' ? [jobKeys.one(job.id), jobKeys.all] : [jobKeys.all]),
    always: true,
  });

  const run = (action: JobAction, job: JobRef, fresh = false) => {
    if (action === 'clone') setCloning(job);
    else if (action === 'edit') void navigate({ to: '/jobs/$job/edit', params: { job: job.id } });
    else if (fresh || QUESTIONS[action]) setAsking({ action, job, fresh });
    else direct.mutate({ action, job, fresh });
  };

  const dialogs = (
    <Suspense fallback={null}>
      {asking && <Confirm asking={asking} onCancel={() => setAsking(null)} onConfirm={() => direct.mutate(asking)} />}
      {short && <QuotaDialog {...short} onClose={() => setShort(null)} />}
      {cloning && <CloneDialog key={cloning.id} job={cloning} onClose={() => setCloning(null)} />}
    </Suspense>
  );
  return { run, dialogs };
}
