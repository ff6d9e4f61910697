/** The controls of one log: which task, from match to match, from failure to failure, its two ends, download. */
import { ActionIcon, CopyButton, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Toggle } from './Toggle';
import type { Finder } from './useFinder';
import style from './Logs.module.css';

interface Props {
  job: JobDetail;
  task: string;
  onTask: (task: string) => void;
  onClose: (() => void) | undefined;
  /** Null while nothing is searched for. */
  words: Finder | null;
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
  const { job, task, onTask, onClose, words, failures, onStep, follow, onFollow, onStart, onDownload, link, before, after } = props;
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
          <span className={style.matchCount} role="status">{t('log.matches', { position: words.position, count: words.count })}</span>
          <Steps up={t('log.previous')} down={t('log.next')} disabled={words.count === 0} onStep={(by) => onStep(words, by)} />
        </span>
      )}
      <span className={style.finder} data-some={failures.count > 0 || undefined}>
        <span className={style.failures} title={t('log.failuresText')}>
          <Icon name="error" size={14} />
          <span className="visually-hidden">{t('log.failures')}</span>
          {failures.more ? `${failures.count}+` : failures.count}
        </span>
        <Steps
          up={t('log.previousFailure')}
          down={t('log.nextFailure')}
          disabled={failures.count === 0 && !failures.more}
          onStep={(by) => onStep(failures, by)}
        />
      </span>
      <div className={style.toggles}>
        {link !== null && (
          <CopyButton value={link}>
            {({ copied, copy }) => <Tool icon={copied ? 'done' : 'link'} label={copied ? t('action.copied') : t('log.copyLink')} onClick={copy} />}
          </CopyButton>
        )}
        {after}
        <Tool icon="toTop" label={t('log.toStart')} onClick={onStart} />
        <Toggle icon="follow" label={t('log.follow')} on={follow} onChange={onFollow} />
        <Tool icon="download" label={t('log.download')} onClick={onDownload} />
        {onClose && <Tool icon="close" label={t('log.close', { task })} onClick={onClose} />}
      </div>
    </div>
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
