/** Doing things with a job: a question first where it hurts, a word when it is done. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { keys } from '@/api/keys';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { errorText } from '@/ui/States';
import { CALLS, DONE, LOOKS, QUESTIONS } from './actions';
import type { DirectAction, JobAction } from './actions';

const Confirm = lazy(() => import('./ConfirmDialog'));
const CloneDialog = lazy(() => import('./CloneDialog'));

export interface JobRef {
  id: string;
  name: string;
}

interface Options {
  /** Called after a job is gone. */
  onDeleted?: () => void;
}

/** `run` begins an action; `dialogs` must be somewhere on the page. */
export function useJobActions({ onDeleted }: Options = {}): { run: (action: JobAction, job: JobRef) => void; dialogs: ReactNode } {
  const t = useT();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [asking, setAsking] = useState<{ action: DirectAction; job: JobRef } | null>(null);
  const [cloning, setCloning] = useState<JobRef | null>(null);

  const direct = useMutation({
    mutationFn: ({ action, job }: { action: DirectAction; job: JobRef }) => CALLS[action](job.id),
    onSuccess: async (_, { action, job }) => {
      setAsking(null);
      notify({ message: t(DONE[action], { name: job.name }) });
      if (action === 'delete') onDeleted?.();
      else void client.invalidateQueries({ queryKey: keys.job(job.id) });
      await client.invalidateQueries({ queryKey: keys.jobs });
    },
    onError: (error, { action, job }) => {
      setAsking(null);
      notify({ bad: true, title: t('failed.action', { action: t(LOOKS[action].label), name: job.name }), message: errorText(error, t) });
    },
  });

  const run = (action: JobAction, job: JobRef) => {
    if (action === 'clone') setCloning(job);
    else if (action === 'edit') void navigate({ to: '/jobs/$job/edit', params: { job: job.id } });
    else if (QUESTIONS[action]) setAsking({ action, job });
    else direct.mutate({ action, job });
  };

  const dialogs = (
    <Suspense fallback={null}>
      {asking && <Confirm asking={asking} busy={direct.isPending} onCancel={() => setAsking(null)} onConfirm={() => direct.mutate(asking)} />}
      {cloning && <CloneDialog key={cloning.id} job={cloning} onClose={() => setCloning(null)} />}
    </Suspense>
  );
  return { run, dialogs };
}
