/** The row of controls above a log. */
import { ActionIcon, Select, TextInput } from '@mantine/core';
import type { LogSource } from '@/api/logs';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import type { JobSearch } from './search';
import style from './JobPage.module.css';

interface Props {
  job: JobDetail;
  source: LogSource;
  onChange: (search: Partial<JobSearch>) => void;
  words: string;
  onWords: (words: string) => void;
  matches: number;
  position: number;
  onStep: (by: 1 | -1) => void;
  onlyMatches: boolean;
  onOnlyMatches: (on: boolean) => void;
  timestamps: boolean;
  onTimestamps: (on: boolean) => void;
  follow: boolean;
  onFollow: (on: boolean) => void;
  onDownload: () => void;
}

export function LogToolbar(props: Props) {
  const { job, source, onChange, timestamps, onTimestamps, follow, onFollow, onDownload } = props;
  const t = useT();
  return (
    <div className={style.toolbar} role="toolbar" aria-label={t('log.controls')}>
      <Select
        aria-label={t('log.task')}
        className={style.taskChoice}
        data={job.tasks.map((task) => task.name)}
        value={source.task ?? null}
        allowDeselect={false}
        searchable={job.tasks.length > 12}
        onChange={(task) => onChange({ task: task ?? undefined })}
      />
      {job.attempts.length > 1 && (
        <Select
          aria-label={t('log.attempt')}
          className={style.attemptChoice}
          data={job.attempts.map(({ number }) => ({ value: String(number), label: t('log.attemptNumber', { number }) }))}
          value={String(source.attempt)}
          allowDeselect={false}
          onChange={(attempt) => onChange({ attempt: Number(attempt) })}
        />
      )}
      <LogSearch {...props} />
      <div className={style.toggles}>
        <Toggle icon="clock" label={t('log.timestamps')} on={timestamps} onChange={onTimestamps} />
        <Toggle icon="follow" label={t('log.follow')} on={follow} onChange={onFollow} />
        <ActionIcon aria-label={t('log.download')} title={t('log.download')} onClick={onDownload}>
          <Icon name="download" />
        </ActionIcon>
      </div>
    </div>
  );
}

function LogSearch({ words, onWords, matches, position, onStep, onlyMatches, onOnlyMatches }: Props) {
  const t = useT();
  return (
    <div className={style.logSearch}>
      <TextInput
        type="search"
        className={style.logSearchBox}
        aria-label={t('log.search')}
        placeholder={t('log.search')}
        leftSection={<Icon name="search" size={14} />}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') onWords('');
        }}
      />
      {words !== '' && (
        <>
          <span className={style.matchCount} role="status">{t('log.matches', { position, count: matches })}</span>
          <ActionIcon aria-label={t('log.previous')} title={t('log.previous')} disabled={matches === 0} onClick={() => onStep(-1)}>
            <Icon name="up" />
          </ActionIcon>
          <ActionIcon aria-label={t('log.next')} title={t('log.next')} disabled={matches === 0} onClick={() => onStep(1)}>
            <Icon name="down" />
          </ActionIcon>
          <Toggle icon="filter" label={t('log.onlyMatches')} on={onlyMatches} onChange={onOnlyMatches} />
        </>
      )}
    </div>
  );
}

function Toggle({ icon, label, on, onChange }: { icon: IconName; label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <ActionIcon
      variant={on ? 'light' : 'subtle'}
      color={on ? 'accent' : 'gray'}
      aria-label={label}
      title={label}
      aria-pressed={on}
      onClick={() => onChange(!on)}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}
