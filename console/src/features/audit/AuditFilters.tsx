/** What is above the audit log: words, who, which act, what, when. */
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { usePeople } from '@/parts/people/usePeople';
import { FilterSelect } from '@/ui/form/FilterSelect';
import { Icon } from '@/ui/icons';
import { NameFilter } from '@/ui/form/NameFilter';
import { SearchBox } from '@/ui/form/SearchBox';
import { ACT_WORDS } from './acts';
import { isFiltered, SPANS } from './search';
import type { AuditSearch, Span } from './search';
import { SubjectFilter } from './SubjectFilter';
import style from '@/ui/table/lists.module.css';

const SPAN_WORDS: Record<Span, MessageKey> = {
  '1d': 'audit.lastDay',
  '7d': 'audit.lastWeek',
  '30d': 'audit.lastMonth',
  '365d': 'audit.lastYear',
};

interface Props {
  search: AuditSearch;
  onChange: (part: Partial<AuditSearch>) => void;
  onReset: () => void;
}

export function AuditFilters({ search, onChange, onReset }: Props) {
  const t = useT();
  const days = search.from !== undefined || search.to !== undefined;
  const [dated, setDated] = useState(days);
  const spans = [
    { value: '', label: t('audit.anyTime') },
    ...SPANS.map((value) => ({ value, label: t(SPAN_WORDS[value]) })),
    { value: 'days', label: t('audit.days') },
  ];
  const choose = (value: string) => {
    setDated(value === 'days');
    onChange({ span: (value && value !== 'days' ? value : undefined) as Span | undefined, from: undefined, to: undefined });
  };
  return (
    <search className={style.filters} aria-label={t('audit.filters')}>
      <SearchBox
        label={t('audit.search')}
        hint={t('audit.searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      <NameFilter label={t('audit.by')} any={t('audit.byHint')} names={usePeople()} value={search.by} onChange={(by) => onChange({ by })} />
      <FilterSelect
        label={t('audit.act')}
        any={t('audit.anyAct')}
        choices={Object.entries(ACT_WORDS).map(([value, word]) => ({ value, label: t(word) }))}
        value={search.act}
        onChange={(act) => onChange({ act })}
      />
      <SubjectFilter value={search.subject} onChange={(subject) => onChange({ subject })} />
      <NativeSelect
        aria-label={t('audit.when')}
        data={spans}
        value={dated || days ? 'days' : (search.span ?? '')}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {(dated || days) && (
        <>
          <TextInput
            type="date"
            aria-label={t('audit.fromDay')}
            value={search.from ?? ''}
            max={search.to}
            onChange={(event) => onChange({ from: event.currentTarget.value || undefined, span: undefined })}
          />
          <TextInput
            type="date"
            aria-label={t('audit.toDay')}
            value={search.to ?? ''}
            min={search.from}
            onChange={(event) => onChange({ to: event.currentTarget.value || undefined, span: undefined })}
          />
        </>
      )}
      {isFiltered(search) && (
        <ActionIcon aria-label={t('list.clear')} title={t('list.clear')} onClick={() => (setDated(false), onReset())}>
          <Icon name="close" />
        </ActionIcon>
      )}
    </search>
  );
}
