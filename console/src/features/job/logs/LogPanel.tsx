/** The logs of a job: of one task, or of several side by side. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useStepTaken } from '@/app/first-steps';
import { useT } from '@/app/i18n';
import { useShortcut } from '@/app/shortcuts';
import { EmptyState } from '@/ui/page/States';
import { LogPane } from './LogPane';
import type { LogPaneHandle } from './LogPane';
import { LogOptions, LogSearch } from './LogToolbar';
import { MOST_LOGS } from '../search';
import type { JobSearch } from '../search';
import layout from '@/ui/page/layout.module.css';
import style from './Logs.module.css';

/** Words are searched for, and reach the address, when the typing rests. */
const REST_MS = 250;

interface Props {
  job: JobDetail;
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
}

export function LogPanel({ job, search, onChange }: Props) {
  const t = useT();
  if (job.attempt === 0 || job.state === 'created') {
    return (
      <EmptyState icon="clock" title={t('log.notYet')}>
        {t('log.notYetText')}
      </EmptyState>
    );
  }
  return <Logs job={job} search={search} onChange={onChange} />;
}

function Logs({ job, search, onChange }: Props) {
  const t = useT();
  useStepTaken('log', true);
  const { words, setWords, settled, settle } = useWords(search.find, (find) => onChange({ find }));
  const [onlyMatches, setOnlyMatches] = useState(false);
  const [together, setTogether] = useState(true);
  const [full, setFull] = useState(false);
  const panes = useRef(new Map<string, LogPaneHandle>());
  /** The log that the reader is in: what is pressed or scrolled goes for it. */
  const active = useRef('');
  const box = useRef<HTMLInputElement>(null);
  useShortcut('/', t('log.search'), (event) => {
    event.preventDefault();
    box.current?.focus();
  });

  const attempt = search.attempt ?? job.attempt;
  const shown = [...new Set([search.task ?? job.tasks[0]?.name ?? '', ...(search.beside ?? [])])].slice(0, MOST_LOGS);
  const show = (tasks: string[]) => onChange({ task: tasks[0], beside: tasks.slice(1), line: undefined });
  const step = (by: 1 | -1) => (panes.current.get(active.current) ?? panes.current.get(shown[0]!))?.step(by);
  // Enter comes faster than the rest: the step is taken once the words are searched for.
  const ahead = useRef<1 | -1 | null>(null);
  const stepOrSettle = (by: 1 | -1) => {
    if (words === settled) {
      step(by);
      return;
    }
    ahead.current = by;
    settle();
  };
  const stepAhead = useEffectEvent(() => {
    if (ahead.current !== null) step(ahead.current);
    ahead.current = null;
  });
  useEffect(() => stepAhead(), [settled]);
  const scrolled = (task: string, time: number) => {
    if (!together || active.current !== task) return;
    for (const other of shown) if (other !== task) panes.current.get(other)?.showTime(time);
  };

  const find = (
    <LogSearch words={words} onWords={setWords} onStep={stepOrSettle} onlyMatches={onlyMatches} onOnlyMatches={setOnlyMatches} box={box} />
  );
  const options = (
    <LogOptions
      job={job}
      search={search}
      onChange={onChange}
      shown={shown}
      together={together}
      onTogether={setTogether}
      full={full}
      onFull={setFull}
    />
  );
  const alone = shown.length === 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the full screen, wherever the focus is
    <div
      className={`${layout.fills} ${style.logs}`}
      data-full={full || undefined}
      onKeyDown={(event) => full && event.key === 'Escape' && setFull(false)}
    >
      {!alone && (
        <div className={style.toolbar} role="toolbar" aria-label={t('log.controls')}>
          {find}
          <div className={style.toggles}>{options}</div>
        </div>
      )}
      <div className={style.grid} data-count={shown.length}>
        {shown.map((task, index) => (
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only notices which log the reader is in
          <div
            key={`${task}/${attempt}`}
            className={style.cell}
            onPointerEnter={() => {
              active.current = task;
            }}
            onFocus={() => {
              active.current = task;
            }}
          >
            <LogPane
              ref={(handle) => {
                if (handle) panes.current.set(task, handle);
                else panes.current.delete(task);
              }}
              job={job}
              source={{ job: job.id, task, attempt }}
              search={search}
              words={settled}
              onlyMatches={onlyMatches}
              onContext={() => setOnlyMatches(false)}
              count={shown.length}
              line={index === 0 ? search.line : undefined}
              onLine={(line) => index === 0 && onChange({ task, line })}
              onTask={(next) => show(shown.map((name, at) => (at === index ? next : name)))}
              onClose={alone ? undefined : () => show(shown.filter((name) => name !== task))}
              onScrolled={(time) => scrolled(task, time)}
              before={alone && find}
              after={alone && options}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface Words {
  /** As they are typed. */
  words: string;
  setWords: (words: string) => void;
  /** As they are searched for. */
  settled: string;
  settle: () => void;
}

/** The search and the address get the words when the typing rests; the address gives them when it changes by itself. */
function useWords(given: string | undefined, onRest: (words: string | undefined) => void): Words {
  const [words, setWords] = useState(given ?? '');
  const [settled, setSettled] = useState(words);
  const told = useRef(words);
  useEffect(() => {
    if ((given ?? '') === told.current) return;
    told.current = given ?? '';
    setWords(told.current);
    setSettled(told.current);
  }, [given]);
  const settle = () => {
    if (words === told.current) return;
    told.current = words;
    setSettled(words);
    onRest(words || undefined);
  };
  const rested = useEffectEvent(settle);
  useEffect(() => {
    const timer = setTimeout(rested, REST_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return { words, setWords, settled, settle };
}
