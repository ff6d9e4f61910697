/** The log of one task with its controls. */
import { Button } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { JobDetail } from '@/api/jobs';
import { downloadLog } from '@/api/logs';
import type { LogSource } from '@/api/logs';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { isActive } from '@/parts/jobs/actions';
import { LogView } from '@/ui/log/LogView';
import type { LogViewHandle } from '@/ui/log/LogView';
import { EmptyState, ErrorState, errorText, Skeleton } from '@/ui/page/States';
import { save } from './download';
import { LogFoot } from './LogFoot';
import { LogPaneHead } from './LogPaneHead';
import type { JobSearch } from '../search';
import { formatAddress, parseAddress } from './task-log';
import { useFailureFinder, useWordFinder } from './useFinder';
import type { Finder } from './useFinder';
import { useLog } from './useLog';
import type { Log } from './useLog';
import style from './Logs.module.css';

export interface LogPaneHandle {
  step: (by: 1 | -1) => void;
  showTime: (time: number) => void;
}

interface Props {
  job: JobDetail;
  source: LogSource & { task: string };
  search: JobSearch;
  words: string;
  onlyMatches: boolean;
  onContext: () => void;
  /** How many logs are on the page. */
  count: number;
  /** The line that the address points at; undefined for logs beside the first. */
  line: string | undefined;
  onLine: (line: string) => void;
  onTask: (task: string) => void;
  onClose: (() => void) | undefined;
  onScrolled: (time: number) => void;
  before: ReactNode;
  after: ReactNode;
  ref: Ref<LogPaneHandle>;
}

export function LogPane(props: Props) {
  const { job, source, search, words, onlyMatches, count, line, before, after } = props;
  const t = useT();
  const task = job.tasks.find(({ name }) => name === source.task);
  const log = useLog(source, !isActive(job.state) || source.attempt !== job.attempt, count);
  const { store } = log;
  const [follow, setFollow] = useState(line === undefined);
  const { current, show, reveal, view } = useCurrentLine(log, line, () => setFollow(false));

  const filtering = onlyMatches && words !== '';
  const wordFinder = useWordFinder(source, log, words, current, filtering);
  const failures = useFailureFinder(log, current);
  const unread = (error: unknown) => notify({ bad: true, title: t('log.unread'), message: errorText(error, t) });
  const step = (finder: Finder, by: 1 | -1) =>
    void finder.step(by).then((number) => {
      if (number !== null) point(number);
    }, unread);
  const point = (number: number) => {
    show(number);
    const picked = store.buffer.lines[number - store.buffer.base];
    if (picked) props.onLine(formatAddress(picked));
  };
  const changeFollow = (on: boolean) => {
    setFollow(on);
    if (on) void store.toEnd();
  };

  useEffect(() => store.stayAtEnd(follow), [store, follow]);

  useImperativeHandle(props.ref, () => ({
    // Among nothing but matches there is nowhere to step to.
    step: (by) => void (filtering || step(wordFinder, by)),
    showTime: (time) => {
      setFollow(false);
      view.current?.revealTime(time);
    },
  }));

  const download = () =>
    void downloadLog(source)
      .then((blob) => save(blob, `${job.name}-${source.task}.log`))
      .catch((error: unknown) => notify({ bad: true, title: t('log.downloadFailed'), message: errorText(error, t) }));

  return (
    <section className={style.pane} aria-label={t('log.of', { task: source.task })}>
      <LogPaneHead
        job={job}
        task={source.task}
        onTask={props.onTask}
        onClose={props.onClose}
        words={words === '' || filtering ? null : wordFinder}
        term={words}
        failures={failures}
        onStep={step}
        follow={follow}
        onFollow={changeFollow}
        onStart={() => void store.find({ offset: 0, nth: 0 }).then((number) => number !== null && reveal(number), unread)}
        onDownload={download}
        link={line === undefined ? null : location.href}
        before={before}
        after={after}
      />
      <LogBody log={log} filtering={filtering}>
        <LogView
          ref={view}
          label={t('log.of', { task: source.task })}
          lines={filtering ? wordFinder.lines : log.lines}
          version={log.version}
          base={filtering ? 0 : log.base}
          firstNumber={filtering ? null : log.firstNumber}
          times={search.times ?? 'none'}
          started={task?.started_at ? Date.parse(task.started_at) : (log.lines[0]?.time ?? 0)}
          wrap={search.wrap === 'on'}
          search={words}
          current={filtering ? undefined : current}
          follow={follow}
          onFollow={setFollow}
          onPick={(picked, number) => {
            // A line among matches is shown among its neighbours.
            if (filtering)
              void store
                .find(picked)
                .then((found) => found !== null && point(found))
                .then(props.onContext, unread);
            else point(number);
          }}
          onNearEnd={filtering ? undefined : () => void store.later().catch(ignore)}
          onNearTop={filtering ? undefined : () => void store.earlier().catch(ignore)}
          onScrolled={props.onScrolled}
          top={
            log.hasEarlier &&
            !filtering && <More words={t('log.earlier')} load={() => store.earlier()} onFailed={unread} onStart={() => setFollow(false)} />
          }
          bottom={log.detached && !filtering && <More words={t('log.later')} load={() => store.later()} onFailed={unread} />}
        />
      </LogBody>
      <LogFoot log={log} found={filtering ? wordFinder.lines.length : null} />
    </section>
  );
}

/** The line that is pointed at: fetched when the address names it, brought into view once it is there. */
function useCurrentLine(log: Log, line: string | undefined, onShow: () => void) {
  const view = useRef<LogViewHandle>(null);
  const [current, setCurrent] = useState<number>();
  const [wanted, setWanted] = useState<number | null>(null);
  const reveal = (number: number) => {
    onShow();
    setWanted(number);
  };
  const show = (number: number) => {
    setCurrent(number);
    reveal(number);
  };
  const opened = useRef(line);
  const open = useEffectEvent(() => {
    if (opened.current === undefined) return;
    const address = parseAddress(opened.current);
    opened.current = undefined;
    void log.store.find(address).then((number) => number !== null && show(number), ignore);
  });
  useEffect(() => {
    if (log.status === 'ready') open();
  }, [log.status]);
  useLayoutEffect(() => {
    if (wanted === null || wanted < log.base || wanted >= log.base + log.lines.length) return;
    view.current?.reveal(wanted);
    setWanted(null);
  }, [wanted, log.base, log.lines.length]);
  return { current, show, reveal, view };
}

function LogBody({ log, filtering, children }: { log: Log; filtering: boolean; children: ReactNode }) {
  const t = useT();
  if (log.status === 'failed') return <ErrorState error={log.error} retry={() => void log.store.open()} />;
  if (log.status === 'loading' && log.lines.length === 0) return <Skeleton rows={10} />;
  if (log.lines.length === 0 && !filtering) {
    return (
      <div className={style.blank}>
        <EmptyState icon="jobs" title={log.ended ? t('log.silent') : t('log.waiting')}>
          {log.ended ? null : t('log.waitingText')}
        </EmptyState>
      </div>
    );
  }
  return children;
}

/** What is not there yet can still be asked for by a button, which says what went wrong. */
const ignore = () => undefined;

interface MoreProps {
  words: string;
  load: () => Promise<unknown>;
  onStart?: () => void;
  onFailed: (error: unknown) => void;
}

function More({ words, load, onStart, onFailed }: MoreProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    onStart?.();
    setBusy(true);
    await load().catch(onFailed);
    setBusy(false);
  };
  return (
    <Button variant="subtle" size="compact-xs" loading={busy} onClick={() => void run()}>
      {words}
    </Button>
  );
}
