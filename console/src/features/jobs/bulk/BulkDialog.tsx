/** One action on many jobs: says what will happen, shows how far it is, and tells what was refused and why. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { jobKeys, titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { LOOKS, QUESTIONS } from '@/parts/jobs/actions';
import { perform } from '@/parts/jobs/perform';
import { Dialog } from '@/ui/dialog/Dialog';
import { JobStatus } from '@/ui/words/Status';
import { errorText } from '@/ui/page/States';
import { forEach } from './bulk';
import type { BulkAction, Outcome } from './bulk';
import ink from '@/ui/theme/ink.module.css';
import style from './Bulk.module.css';

const ASK: Record<BulkAction, MessageKey> = { start: 'bulk.start', stop: 'bulk.stop', restart: 'bulk.restart', delete: 'bulk.delete' };
const DONE: Record<BulkAction, MessageKey> = {
  start: 'bulk.started',
  stop: 'bulk.stopped',
  restart: 'bulk.restarted',
  delete: 'bulk.deleted',
};
/** More names than this nobody reads. */
const NAMED = 50;

interface Props {
  action: BulkAction;
  jobs: JobRow[];
  /** How many chosen jobs it does not suit. */
  unsuited: number;
  /** With the ids of those it was done to. */
  onDone: (ids: string[]) => void;
  onClose: () => void;
}

type Outcomes = Outcome<JobRow>;

export default function BulkDialog({ action, jobs, unsuited, onDone, onClose }: Props) {
  const t = useT();
  const client = useQueryClient();
  const [phase, setPhase] = useState<'asking' | 'working' | 'over'>('asking');
  const [outcome, setOutcome] = useState<Outcomes>({ done: [], refused: [], left: [] });
  const cancel = useRef(new AbortController());
  useEffect(() => {
    const mine = new AbortController();
    cancel.current = mine;
    return () => mine.abort();
  }, []);

  const begin = async () => {
    setPhase('working');
    const result = await forEach(jobs, (job) => perform(client, action, job), { signal: cancel.current.signal, onProgress: setOutcome });
    void client.invalidateQueries({ queryKey: jobKeys.all });
    setOutcome(result);
    setPhase('over');
    if (result.refused.length === 0 && result.left.length === 0) {
      notify({ message: t(DONE[action], { count: result.done.length }) });
      onClose();
    }
    onDone(result.done.map(({ id }) => id));
  };

  const busy = phase === 'working';
  return (
    <Dialog title={t(ASK[action], { count: jobs.length })} onClose={onClose} sticky={busy}>
      {phase === 'asking' && <Question {...{ action, jobs, unsuited, onClose }} onConfirm={() => void begin()} />}
      {busy && <Progress outcome={outcome} total={jobs.length} onCancel={() => cancel.current.abort()} />}
      {phase === 'over' && <Summary outcome={outcome} action={action} onClose={onClose} />}
    </Dialog>
  );
}

function Question({ action, jobs, unsuited, onClose, onConfirm }: Omit<Props, 'onDone'> & { onConfirm: () => void }) {
  const t = useT();
  const text = QUESTIONS[action]?.text ?? 'bulk.startText';
  return (
    <>
      <p>{t(text)}</p>
      <ul className={style.jobs} aria-label={t('bulk.which')}>
        {jobs.slice(0, NAMED).map((job) => (
          <li key={job.id}>
            <span className={style.name}>{titleOf(job)}</span>
            <span className={ink.quiet}>{job.owner}</span>
            <JobStatus state={job.state} reason={job.reason?.code} />
          </li>
        ))}
        {jobs.length > NAMED && <li className={ink.quiet}>{t('bulk.more', { count: jobs.length - NAMED })}</li>}
      </ul>
      {unsuited > 0 && <p className={ink.quiet}>{t('bulk.unsuited', { count: unsuited })}</p>}
      <div className={style.actions}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button {...(action !== 'start' && { color: 'red' })} data-autofocus onClick={onConfirm}>
          {t('bulk.action', { action: t(LOOKS[action].label), count: jobs.length })}
        </Button>
      </div>
    </>
  );
}

function Progress({ outcome, total, onCancel }: { outcome: Outcomes; total: number; onCancel: () => void }) {
  const t = useT();
  const [cancelled, setCancelled] = useState(false);
  const tried = outcome.done.length + outcome.refused.length;
  return (
    <>
      <progress className={style.progress} max={total} value={tried} aria-label={t('bulk.progress')} />
      <p role="status">
        {sentence(outcome, t)} {t('bulk.of', { tried, total })}
      </p>
      <div className={style.actions}>
        <Button
          variant="default"
          disabled={cancelled}
          onClick={() => {
            setCancelled(true);
            onCancel();
          }}
        >
          {t('bulk.cancel')}
        </Button>
      </div>
    </>
  );
}

function Summary({ outcome, action, onClose }: { outcome: Outcomes; action: BulkAction; onClose: () => void }) {
  const t = useT();
  return (
    <>
      <p role="status">
        {t(DONE[action], { count: outcome.done.length })}{' '}
        {outcome.refused.length > 0 && t('bulk.refused', { count: outcome.refused.length })}{' '}
        {outcome.left.length > 0 && t('bulk.left', { count: outcome.left.length })}
      </p>
      {outcome.refused.length > 0 && (
        <ul className={style.refusals} aria-label={t('bulk.refusals')}>
          {outcome.refused.map(({ item, error }) => (
            <li key={item.id}>
              <span className={style.name}>{item.name}</span>
              <span>{errorText(error, t)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={style.actions}>
        <Button data-autofocus onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    </>
  );
}

function sentence({ refused }: Outcomes, t: Translate): string {
  return refused.length > 0 ? t('bulk.refused', { count: refused.length }) : '';
}
