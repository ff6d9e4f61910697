/** The controls that all logs on the page share: what is searched for, how lines are shown. */
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import type { Ref } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { JobSearch } from '../search';
import { MOST_LOGS } from '../search';
import { Toggle } from '../Toggle';
import style from './Logs.module.css';

interface SearchProps {
  words: string;
  onWords: (words: string) => void;
  onStep: (by: 1 | -1) => void;
  onlyMatches: boolean;
  onOnlyMatches: (on: boolean) => void;
  box: Ref<HTMLInputElement>;
}

export function LogSearch({ words, onWords, onStep, onlyMatches, onOnlyMatches, box }: SearchProps) {
  const t = useT();
  return (
    <>
      <TextInput
        ref={box}
        type="search"
        className={style.searchBox}
        aria-label={t('log.search')}
        placeholder={t('log.search')}
        leftSection={<Icon name="search" size={14} />}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape' && words !== '') {
            event.stopPropagation();
            onWords('');
          }
        }}
      />
      {words !== '' && <Toggle icon="filter" label={t('log.onlyMatches')} on={onlyMatches} onChange={onOnlyMatches} />}
    </>
  );
}

interface ViewProps {
  job: JobDetail;
  search: JobSearch;
  onChange: (search: Partial<JobSearch>) => void;
  shown: string[];
  together: boolean;
  onTogether: (on: boolean) => void;
  full: boolean;
  onFull: (on: boolean) => void;
}

export function LogOptions({ job, search, onChange, shown, together, onTogether, full, onFull }: ViewProps) {
  const t = useT();
  const next = job.tasks.find(({ name }) => !shown.includes(name))?.name;
  return (
    <>
      <NativeSelect
        aria-label={t('log.times')}
        className={style.timesChoice}
        data={[
          { value: '', label: t('log.timesNone') },
          { value: 'clock', label: t('log.timesClock') },
          { value: 'start', label: t('log.timesStart') },
        ]}
        value={search.times ?? ''}
        onChange={(event) => onChange({ times: (event.currentTarget.value || undefined) as JobSearch['times'] })}
      />
      <Toggle icon="wrap" label={t('log.wrap')} on={search.wrap === 'on'} onChange={(on) => onChange({ wrap: on ? 'on' : undefined })} />
      {shown.length > 1 && <Toggle icon="clock" label={t('log.together')} on={together} onChange={onTogether} />}
      {next !== undefined && shown.length < MOST_LOGS && (
        <ActionIcon
          aria-label={t('log.beside')}
          title={t('log.beside')}
          onClick={() => onChange({ task: shown[0], beside: [...shown.slice(1), next] })}
        >
          <Icon name="columns" />
        </ActionIcon>
      )}
      <ActionIcon
        aria-label={full ? t('log.leaveFull') : t('log.full')}
        title={full ? t('log.leaveFull') : t('log.full')}
        onClick={() => onFull(!full)}
      >
        <Icon name={full ? 'shrink' : 'expand'} />
      </ActionIcon>
    </>
  );
}
