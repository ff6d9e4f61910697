/** The head of a job's page: its name and state, and what can be done with it. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { jobKeys, titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { pinJob, queueKeys, unpinJob } from '@/api/queue';
import { useCommands } from '@/app/commands';
import type { Command } from '@/app/commands';
import { useLocale, useT, withWords } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMay } from '@/app/session';
import { LOOKS, offered } from '@/parts/jobs/actions';
import type { JobAction } from '@/parts/jobs/actions';
import { useJobActions } from '@/parts/jobs/useJobActions';
import { useSave } from '@/parts/useSave';
import { copyText } from '@/ui/words/clipboard';
import { Dropdown, MenuItem } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { JobStatus } from '@/ui/words/Status';
import { formatExact } from '@/ui/words/format';
import style from '../JobPage.module.css';

const TemplateForm = lazy(() => withWords('composing', () => import('@/parts/jobs/TemplateForm')));

export function JobHeading({ job }: { job: JobDetail }) {
  const t = useT();
  const locale = useLocale();
  return (
    <span className={style.heading}>
      {titleOf(job)}
      <JobStatus state={job.state} reason={job.reason?.code} pill />
      {job.pinned_at && (
        <span className={style.pinned} title={formatExact(Date.parse(job.pinned_at), locale)}>
          <Icon name="pin" size={14} />
          {t('job.pinned')}
        </span>
      )}
    </span>
  );
}

export function JobActions({ job, onPrint }: { job: JobDetail; onPrint: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { run, dialogs } = useJobActions({
    onDeleted: () => void navigate({ to: '/jobs' }).then(() => client.removeQueries({ queryKey: jobKeys.one(job.id) })),
  });
  const [keeping, setKeeping] = useState(false);
  const actions = offered(job.actions, job.state);
  useJobCommands(job, actions, run, onPrint);
  return (
    <>
      {SLOTS.map((slot) => (
        <Slot key={slot[0]} slot={slot} offered={actions} onRun={(action) => run(action, job)} />
      ))}
      <MoreActions
        job={job}
        onPrint={onPrint}
        onRun={(action) => run(action, job)}
        onFresh={(action) => run(action, job, true)}
        onKeep={() => setKeeping(true)}
      />
      {dialogs}
      <Suspense fallback={null}>
        {keeping && <TemplateForm job={job.spec} suggested={job.name} onClose={() => setKeeping(false)} />}
      </Suspense>
    </>
  );
}

/** Each place is for one of these at a time, and as wide as the widest: nothing moves when a state changes. The last leads. */
const SLOTS: JobAction[][] = [['edit', 'restart'], ['clone'], ['start', 'stop']];
/** What is seldom wanted, or loses something. */
const RARE = ['reset', 'delete'] as const satisfies JobAction[];

function Slot({ slot, offered: now, onRun }: { slot: JobAction[]; offered: JobAction[]; onRun: (action: JobAction) => void }) {
  const t = useT();
  const shown = slot.find((action) => now.includes(action));
  return (
    <span className={style.slot}>
      {slot.map((action) => (
        <Button
          key={action}
          variant={action === 'start' ? 'filled' : 'default'}
          leftSection={<Icon name={LOOKS[action].icon} size={14} />}
          {...(action !== shown && { style: { visibility: 'hidden' }, 'aria-hidden': true, tabIndex: -1 })}
          onClick={() => onRun(action)}
        >
          {t(LOOKS[action].label)}
        </Button>
      ))}
    </span>
  );
}

/** The same in the command palette. */
function useJobCommands(job: JobDetail, actions: JobAction[], run: (action: JobAction, job: JobDetail) => void, onPrint: () => void): void {
  const t = useT();
  useCommands([
    // The first is chosen before anything is typed: it must do no harm.
    { id: 'job copy id', label: t('job.copyId'), icon: 'copy', words: 'copy id', run: () => copy(job.id, t('job.idCopied')) },
    {
      id: 'job copy link',
      label: t('job.copyLink'),
      icon: 'link',
      words: 'copy link',
      run: () => copy(location.href, t('job.linkCopied')),
    },
    { id: 'job print', label: t('job.print'), icon: 'print', words: 'print', keys: 'mod+p', run: onPrint },
    ...actions.map((action): Command => ({
      id: `job ${action}`,
      label: `${t(LOOKS[action].label)} · ${titleOf(job)}`,
      icon: LOOKS[action].icon,
      words: action,
      run: () => run(action, job),
    })),
  ]);
}

interface MoreProps {
  job: JobDetail;
  onPrint: () => void;
  onRun: (action: JobAction) => void;
  onFresh: (action: 'start' | 'restart') => void;
  /** Keep its file as a template. */
  onKeep: () => void;
}

function MoreActions({ job, onPrint, onRun, onFresh, onKeep }: MoreProps) {
  const t = useT();
  const mayKeep = useMay('template:write');
  const [open, setOpen] = useState(false);
  const pin = usePin(job);
  const { buildLocation, history } = useRouter();
  const own = history.createHref(buildLocation({ to: '/jobs/$job', params: { job: job.id } }).href);
  return (
    <Dropdown
      kind="menu"
      label={t('job.more')}
      open={open}
      onChange={setOpen}
      button={{ className: style.more, 'aria-label': t('job.more'), title: t('job.more'), children: <Icon name="more" /> }}
    >
      {job.saved && job.actions.includes('start') && (
        <MenuItem icon="first" onChoose={() => onFresh('start')}>
          {t('job.startFresh')}
        </MenuItem>
      )}
      {job.saved && !job.actions.includes('start') && job.actions.includes('restart') && (
        <MenuItem icon="first" onChoose={() => onFresh('restart')}>
          {t('job.restartFresh')}
        </MenuItem>
      )}
      {job.actions.includes('pin') && (
        <MenuItem icon="pin" onChoose={() => pin(true)}>
          {t('job.pin')}
        </MenuItem>
      )}
      {job.actions.includes('unpin') && (
        <MenuItem icon="unpin" onChoose={() => pin(false)}>
          {t('job.unpin')}
        </MenuItem>
      )}
      {mayKeep && (
        <MenuItem icon="book" onChoose={onKeep}>
          {t('action.saveTemplate')}
        </MenuItem>
      )}
      <MenuItem icon="copy" onChoose={() => copy(job.id, t('job.idCopied'))}>
        {t('job.copyId')}
      </MenuItem>
      <MenuItem icon="link" onChoose={() => copy(location.href, t('job.linkCopied'))}>
        {t('job.copyLink')}
      </MenuItem>
      <MenuItem icon="external" onChoose={() => window.open(own, '_blank', 'noopener')}>
        {t('job.newTab')}
      </MenuItem>
      <MenuItem icon="print" onChoose={onPrint}>
        {t('job.print')}
      </MenuItem>
      {offered(job.actions, job.state)
        .filter((action) => RARE.some((rare) => rare === action))
        .map((action) => (
          <MenuItem key={action} icon={LOOKS[action].icon} danger={action === 'delete'} onChoose={() => onRun(action)}>
            {t(LOOKS[action].label)}
          </MenuItem>
        ))}
    </Dropdown>
  );
}

const copy = (text: string, done: string): void => void copyText(text).then((copied) => copied && notify({ message: done }));

/** Only administrators are offered it; the queue shows the effect. */
function usePin(job: JobDetail): (on: boolean) => void {
  const t = useT();
  const client = useQueryClient();
  const { mutate } = useSave({
    save: (on: boolean) => (on ? pinJob(job.id) : unpinJob(job.id)),
    close: (now) => client.setQueryData(jobKeys.detail(job.id), now),
    said: (_, on) => t(on ? 'job.pinnedNow' : 'job.unpinnedNow', { name: titleOf(job) }),
    invalidate: [queueKeys.all],
    failed: t('job.pinFailed', { name: titleOf(job) }),
  });
  return mutate;
}
