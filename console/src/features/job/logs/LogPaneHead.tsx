/** The controls of one log: which task, from match to match, from failure to failure, its two ends, download. */
import { ActionIcon, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Toggle } from '../Toggle';
import type { Finder } from './useFinder';
import style from './Logs.module.css';

/** The server's part of the answer has come by then, as a rule. */
const SAID_AFTER_MS = 800;

interface Props {
  job: JobDetail;
  task: string;
  onTask: (task: string) => void;
  onClose: (() => void) | undefined;
  /** Null while nothing is searched for. */
  words: Finder | null;
  /** What is searched for. */
  term: string;
  failures: Finder;
  onStep: (finder: Finder, by: 1 | -1) => void;
  follow: boolean;
  onFollow: (on: boolean) => void;
  onStart: () => void;
  onDownload: () => void;
  /** The address of the line that is pointed at. */
  link: string | null;
  /** What all logs share, when this is the only one. */
  before: ReactNode;
  after: ReactNode;
}

export function LogPaneHead(props: Props) {
  const { job, task, onTask, onClose, words, term, failures, onStep, follow, onFollow, onStart, onDownload, link, before, after } = props;
  const t = useT();
  return (
    <div className={style.toolbar} role="toolbar" aria-label={t('log.controlsOf', { task })}>
      {job.tasks.length > 1 && (
        <NativeSelect
          aria-label={t('log.task')}
          className={style.taskChoice}
          data={job.tasks.map(({ name }) => name)}
          value={task}
          onChange={(event) => onTask(event.currentTarget.value)}
        />
      )}
      {before}
      {words && (
        <span className={style.finder}>
          <Matches found={words} term={term} />
          <Steps up={t('log.previous')} down={t('log.next')} disabled={words.count === 0} onStep={(by) => onStep(words, by)} />
        </span>
      )}
      <span className={style.finder} data-some={failures.count > 0 || undefined}>
        <span className={style.failures} title={t('log.failuresText')}>
          <Icon name="error" size={14} />
          <span className="visually-hidden">{t('log.failures')}</span>
          {failures.position > 0 && t('log.matches', { position: failures.position, count: countOf(failures) })}
          {failures.position === 0 && (failures.more ? t('log.failuresLoaded', { count: failures.count }) : failures.count)}
        </span>
        <Steps
          up={t('log.previousFailure')}
          down={t('log.nextFailure')}
          disabled={failures.count === 0 && !failures.more}
          onStep={(by) => onStep(failures, by)}
        />
      </span>
      <div className={style.toggles}>
        {link !== null && <Copy text={link} label={t('log.copyLink')} icon="link" />}
        {after}
        <Tool icon="toTop" label={t('log.toStart')} onClick={onStart} />
        <Toggle icon="follow" label={t('log.follow')} on={follow} onChange={onFollow} />
        <Tool icon="download" label={t('log.download')} onClick={onDownload} />
        {onClose && <Tool icon="close" label={t('log.close', { task })} onClick={onClose} />}
      </div>
    </div>
  );
}

const countOf = ({ count, more }: Finder): string => (more ? `${count}+` : String(count));

/** A live log finds more by the second: it is said aloud only when the person searches or steps. */
function Matches({ found, term }: { found: Finder; term: string }) {
  const t = useT();
  const [said, setSaid] = useState('');
  const words = t('log.matches', { position: found.position, count: countOf(found) });
  const say = useEffectEvent(() => setSaid(words));
  useEffect(() => {
    const timer = setTimeout(say, SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [term, found.position]);
  return (
    <>
      <span className={style.matchCount} aria-hidden="true">
        {words}
      </span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

function Steps({ up, down, disabled, onStep }: { up: string; down: string; disabled: boolean; onStep: (by: 1 | -1) => void }) {
  return (
    <>
      <Tool icon="up" label={up} disabled={disabled} onClick={() => onStep(-1)} />
      <Tool icon="down" label={down} disabled={disabled} onClick={() => onStep(1)} />
    </>
  );
}

function Tool({ icon, label, disabled = false, onClick }: { icon: IconName; label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <ActionIcon aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </ActionIcon>
  );
}
