/** The filters above the job table; the address holds them. */
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { JOB_KINDS, JOB_STATES } from '@/api/types';
import type { JobKind, JobState } from '@/api/types';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { isFiltered } from './search';
import type { JobsSearch } from './search';
import { KIND_WORDS } from './size';
import style from './Jobs.module.css';

const STATE_WORDS: Record<JobState, MessageKey> = {
  created: 'state.created',
  queued: 'state.queued',
  starting: 'state.starting',
  running: 'state.running',
  stopping: 'state.stopping',
  completed: 'state.completed',
  failed: 'state.failed',
  stopped: 'state.stopped',
};

interface Props {
  search: JobsSearch;
  onChange: (change: Partial<JobsSearch>) => void;
  onReset: () => void;
}

export function JobFilters({ search, onChange, onReset }: Props) {
  const t = useT();
  return (
    <search className={style.filters} aria-label={t('jobs.filters')}>
      <SearchBox value={search.search ?? ''} onChange={(text) => onChange({ search: text || undefined })} />
      <NativeSelect
        aria-label={t('jobs.owner')}
        className={style.filter}
        data={[{ value: '', label: t('jobs.everyone') }, { value: 'me', label: t('jobs.mine') }]}
        value={search.owner === undefined ? '' : 'me'}
        onChange={(event) => onChange({ owner: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label={t('jobs.kind')}
        className={style.filter}
        data={[{ value: '', label: t('jobs.anyKind') }, ...JOB_KINDS.map((value) => ({ value, label: t(KIND_WORDS[value]) }))]}
        value={search.kind ?? ''}
        onChange={(event) => onChange({ kind: (event.currentTarget.value || undefined) as JobKind | undefined })}
      />
      <StateChips chosen={search.state ?? []} onChange={(state) => onChange({ state: state.length > 0 ? state : undefined })} />
      {isFiltered(search) && (
        <ActionIcon aria-label={t('jobs.reset')} title={t('jobs.reset')} onClick={onReset}>
          <Icon name="close" />
        </ActionIcon>
      )}
    </search>
  );
}

function SearchBox({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback(onChange, 250);
  // A reset or a link changes the address behind the box's back.
  useEffect(() => setText(value), [value]);
  useHotkeys([['/', () => input.current?.focus()]]);
  return (
    <TextInput
      ref={input}
      type="search"
      className={style.searchBox}
      aria-label={t('jobs.search')}
      placeholder={t('jobs.searchHint')}
      leftSection={<Icon name="search" size={14} />}
      rightSection={text === '' && <kbd className={style.key}>/</kbd>}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}

function StateChips({ chosen, onChange }: { chosen: JobState[]; onChange: (states: JobState[]) => void }) {
  const t = useT();
  const toggle = (state: JobState) =>
    onChange(chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state]);
  return (
    <fieldset className={style.chips}>
      <legend className="visually-hidden">{t('jobs.state')}</legend>
      {JOB_STATES.map((state) => (
        <button key={state} type="button" className={style.chip} aria-pressed={chosen.includes(state)} onClick={() => toggle(state)}>
          {t(STATE_WORDS[state])}
        </button>
      ))}
    </fieldset>
  );
}
