/** A terminal into a running task. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { apiUrl } from '@/api/client';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { canPaste } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import { EmptyState, Skeleton } from '@/ui/page/States';
import type { TerminalHandle, TerminalState } from '@/ui/terminal/Terminal';
import type { TerminalQuery } from '@/ui/terminal/Terminal-connection';
import { LEAVE_KEYS } from '@/ui/terminal/Terminal-keys';
import type { PartProps } from './parts';
import { keepSession, takeSession } from './terminal-sessions';
import { Toggle } from './Toggle';
import layout from '@/ui/page/layout.module.css';
import style from './Terminal.module.css';

const Terminal = lazy(() => import('@/ui/terminal/Terminal'));

export function TerminalPanel({ job, search: { task }, onChange }: Pick<PartProps, 'job' | 'search' | 'onChange'>) {
  const running = job.tasks.filter(({ state }) => state === 'running').map(({ name }) => name);
  // A session that was open stays on the screen when its task ends.
  const [entered, setEntered] = useState<string | null>(null);
  const chosen = task !== undefined && running.includes(task) ? task : (entered ?? running[0]);
  const may = job.actions.includes('exec');
  if (may && chosen !== undefined && entered !== chosen) setEntered(chosen);
  if (chosen === undefined || (!may && entered === null)) return <NoTerminal job={job} running={running.length > 0} />;
  const names = running.includes(chosen) ? running : [chosen, ...running];
  return <Session key={chosen} job={job} task={chosen} tasks={names} onTask={(next) => onChange({ task: next })} />;
}

function NoTerminal({ job, running }: { job: JobDetail; running: boolean }) {
  const t = useT();
  if (running)
    return (
      <EmptyState icon="key" title={t('terminal.refused')}>
        {t('terminal.refusedText', { owner: job.owner })}
      </EmptyState>
    );
  return (
    <EmptyState icon="terminal" title={t('terminal.notRunning')}>
      {t('terminal.notRunningText')}
    </EmptyState>
  );
}

function Session({ job, task, tasks, onTask }: { job: JobDetail; task: string; tasks: string[]; onTask: (task: string) => void }) {
  const t = useT();
  const [state, setState] = useState<TerminalState>({ kind: 'connecting' });
  const [round, setRound] = useState(0);
  const [reader, setReader] = useState(false);
  const terminal = useRef<TerminalHandle>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const url = useCallback(
    (query: TerminalQuery) => apiUrl(`jobs/${encodeURIComponent(job.id)}/exec`, { task, keep: 'true', ...query }).replace(/^http/, 'ws'),
    [job.id, task],
  );
  const paste = () =>
    void navigator.clipboard.readText().then(
      (text) => terminal.current?.paste(text),
      () => undefined,
    );
  const place = `${job.id}/${task}`;
  const over = state.kind === 'exited' || state.kind === 'refused' || state.kind === 'gone';
  return (
    <div className={layout.fills}>
      <div className={style.toolbar} role="toolbar" aria-label={t('terminal.controls')}>
        <NativeSelect
          aria-label={t('log.task')}
          className={style.taskChoice}
          data={tasks}
          value={task}
          onChange={(event) => onTask(event.currentTarget.value)}
        />
        <span className={style.state} role="status" data-kind={state.kind}>
          {stateWords(state, t)}
        </span>
        {over && (
          <Button ref={leave} size="compact-sm" leftSection={<Icon name="restart" size={14} />} onClick={() => setRound(round + 1)}>
            {t('terminal.again')}
          </Button>
        )}
        <span className={style.hint}>{t('terminal.leave', { keys: LEAVE_KEYS })}</span>
        <div className={style.tools}>
          <Toggle icon="book" label={t('terminal.reader')} on={reader} onChange={setReader} />
          <ActionIcon
            ref={over ? undefined : leave}
            aria-label={t('terminal.copy')}
            title={t('terminal.copy')}
            onClick={() => terminal.current?.copy()}
          >
            <Icon name="copy" />
          </ActionIcon>
          {canPaste() && (
            <ActionIcon aria-label={t('terminal.paste')} title={t('terminal.paste')} onClick={paste}>
              <Icon name="paste" />
            </ActionIcon>
          )}
        </div>
      </div>
      <Suspense fallback={<Skeleton rows={6} />}>
        <Terminal
          key={round}
          ref={terminal}
          label={t('terminal.of', { task })}
          url={url}
          onState={setState}
          onLeave={() => leave.current?.focus()}
          takeSession={() => takeSession(place)}
          keepSession={(session) => keepSession(place, session)}
          screenReader={reader}
        />
      </Suspense>
    </div>
  );
}

function stateWords(state: TerminalState, t: Translate): string {
  switch (state.kind) {
    case 'connecting':
      return t('terminal.connecting');
    case 'open':
      return t('terminal.open');
    case 'lost':
      return t('terminal.lost');
    case 'exited':
      return t('terminal.exited', { code: state.code });
    case 'refused':
      return state.sentence ?? t('terminal.gone');
    case 'gone':
      return t('terminal.notBack', { sentence: state.sentence });
  }
}
