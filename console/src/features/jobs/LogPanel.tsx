/** The log of a job: choose the task, follow, search, show times, download. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keys } from '@/api/keys';
import { downloadLog, searchLog } from '@/api/logs';
import type { LogSource } from '@/api/logs';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { LogView } from '@/ui/LogView';
import type { LogViewHandle } from '@/ui/LogView';
import type { Line } from '@/ui/log-lines';
import { EmptyState, ErrorState, errorText, Skeleton } from '@/ui/States';
import { isActive } from './actions';
import { LogToolbar } from './LogToolbar';
import type { JobSearch } from './search';
import { fromPage, useLog } from './useLog';
import type { Log } from './useLog';
import { useMatches } from './useMatches';
import style from './JobPage.module.css';

interface Props {
  job: JobDetail;
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
}

export function LogPanel({ job, search, onChange }: Props) {
  const t = useT();
  if (job.attempt === 0 || job.state === 'created') {
    return <EmptyState icon="clock" title={t('log.notYet')}>{t('log.notYetText')}</EmptyState>;
  }
  const source = { job: job.id, task: search.task ?? job.tasks[0]?.name, attempt: search.attempt ?? job.attempt };
  return <TaskLog key={`${source.task}/${source.attempt}`} job={job} source={source} onChange={onChange} />;
}

function TaskLog({ job, source, onChange }: { job: JobDetail; source: LogSource; onChange: Props['onChange'] }) {
  const t = useT();
  const log = useLog(source, !isActive(job.state) || source.attempt !== job.attempt);
  const [words, setWords] = useState('');
  const [onlyMatches, setOnlyMatches] = useState(false);
  const [timestamps, setTimestamps] = useState(false);
  const [follow, setFollow] = useState(true);
  const [at, setAt] = useState(0);
  const view = useRef<LogViewHandle>(null);

  const filtering = onlyMatches && words !== '';
  const filtered = useFiltered(source, words, filtering, log.version);
  const lines = filtering ? filtered : log.lines;
  const matches = useMatches(lines, words);
  const current = matches[Math.min(at, matches.length - 1)];

  const step = (by: number) => {
    if (matches.length === 0) return;
    const next = (Math.min(at, matches.length - 1) + by + matches.length) % matches.length;
    setAt(next);
    setFollow(false);
    view.current?.reveal(matches[next]!);
  };
  useEffect(() => setAt(Number.POSITIVE_INFINITY), [words]);

  const download = () => void save(source, `${job.name}-${source.task}.log`).catch((error: unknown) => {
    notify({ bad: true, title: t('log.downloadFailed'), message: errorText(error, t) });
  });

  return (
    <div className={style.log}>
      <LogToolbar
        job={job}
        source={source}
        onChange={onChange}
        words={words}
        onWords={setWords}
        matches={matches.length}
        position={current === undefined ? 0 : Math.min(at, matches.length - 1) + 1}
        onStep={step}
        onlyMatches={onlyMatches}
        onOnlyMatches={setOnlyMatches}
        timestamps={timestamps}
        onTimestamps={setTimestamps}
        follow={follow}
        onFollow={setFollow}
        onDownload={download}
      />
      <LogBody log={log} filtering={filtering}>
        <LogView
          ref={view}
          label={t('log.of', { task: source.task ?? '' })}
          lines={lines}
          version={log.version}
          firstNumber={filtering || log.loadEarlier ? null : log.dropped + 1}
          timestamps={timestamps}
          search={words}
          current={current}
          follow={follow && !filtering}
          onFollow={setFollow}
          top={log.loadEarlier && !filtering ? <Earlier load={log.loadEarlier} onStart={() => setFollow(false)} /> : null}
        />
      </LogBody>
      <LogFoot log={log} count={lines.length} />
    </div>
  );
}

/** Matching lines of the whole log, which the server finds; refreshed as new lines come. */
function useFiltered(source: LogSource, words: string, enabled: boolean, version: number): Line[] {
  const found = useQuery({
    queryKey: [...keys.logSearch(source.job, source.task, source.attempt, words), Math.floor(version / 60)],
    queryFn: async ({ signal }) => (await searchLog(source, words, signal)).map(fromPage),
    placeholderData: (old) => old,
    enabled,
  });
  return found.data ?? NO_LINES;
}

const NO_LINES: Line[] = [];

function LogBody({ log, filtering, children }: { log: Log; filtering: boolean; children: React.ReactNode }) {
  const t = useT();
  if (log.status === 'failed') return <ErrorState error={log.error} retry={log.retry} />;
  if (log.status === 'loading' && log.lines.length === 0) return <Skeleton rows={10} />;
  if (log.lines.length === 0 && !filtering) {
    return <EmptyState icon="jobs" title={log.ended ? t('log.silent') : t('log.waiting')}>{log.ended ? null : t('log.waitingText')}</EmptyState>;
  }
  return children;
}

function Earlier({ load, onStart }: { load: () => Promise<void>; onStart: () => void }) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    onStart();
    setBusy(true);
    await load().catch(() => undefined);
    setBusy(false);
  };
  return <Button variant="subtle" size="compact-xs" loading={busy} onClick={() => void run()}>{t('log.earlier')}</Button>;
}

function LogFoot({ log, count }: { log: Log; count: number }) {
  const t = useT();
  const words = log.ended ? t('log.end') : log.connected ? t('log.live') : t('log.reconnecting');
  return (
    <div className={style.logFoot}>
      <span>{log.loadEarlier ? t('log.lastLines', { count }) : t('log.lines', { count })}</span>
      {log.status === 'ready' && <span data-live={(!log.ended && log.connected) || undefined} className={style.liveWord}>{words}</span>}
    </div>
  );
}

async function save(source: LogSource, name: string): Promise<void> {
  const url = URL.createObjectURL(await downloadLog(source));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
