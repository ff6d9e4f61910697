/** The filters above the job table; the address holds them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { JOB_KINDS, JOB_STATES } from '@/api/jobs';
import type { JobKind, JobSort, JobState } from '@/api/jobs';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { KIND_WORDS } from '@/parts/jobs/size';
import { SearchBox } from '@/ui/form/SearchBox';
import type { ColumnId } from '../views/column-choice';
import { ColumnMenu } from '../views/ColumnMenu';
import { ManyMenu, OneMenu } from './FilterMenu';
import { OwnerFilter } from './OwnerFilter';
import { DEFAULT_SORT } from '../search';
import type { JobsSearch } from '../search';
import { SORT_WORDS, STATE_WORDS } from '../words';
import lists from '@/ui/table/lists.module.css';
import style from './Filters.module.css';

const NO_STATES: JobState[] = [];

interface Props {
  search: JobsSearch;
  columns: ColumnId[];
  onChange: (change: Partial<JobsSearch>) => void;
  onColumns: (columns: ColumnId[] | null) => void;
}

export function JobFilters({ search, columns, onChange, onColumns }: Props) {
  const t = useT();
  return (
    <search className={lists.filters} aria-label={t('jobs.filters')}>
      <SearchBox
        label={t('jobs.search')}
        hint={t('jobs.searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      <OwnerFilter owner={search.owner} onChange={(owner) => onChange({ owner })} />
      <ManyMenu
        label={t('jobs.state')}
        choices={JOB_STATES.map((value) => ({ value, label: t(STATE_WORDS[value]) }))}
        chosen={search.state ?? NO_STATES}
        onChange={(state) => onChange({ state: state.length > 0 ? state : undefined })}
      />
      <OneMenu
        label={t('jobs.kind')}
        any={t('jobs.anyKind')}
        choices={JOB_KINDS.map((value) => ({ value, label: t(KIND_WORDS[value]) }))}
        chosen={search.kind}
        onChange={(kind) => onChange({ kind: kind as JobKind | undefined })}
      />
      <ProjectMenu chosen={search.project} onChange={(project) => onChange({ project })} />
      <div className={style.arrange}>
        <OneMenu
          label={t('jobs.sort')}
          icon="follow"
          align="right"
          choices={(Object.keys(SORT_WORDS) as JobSort[]).map((value) => ({ value, label: t(SORT_WORDS[value]) }))}
          chosen={search.sort ?? DEFAULT_SORT}
          plain={search.sort === undefined || search.sort === DEFAULT_SORT}
          onChange={(sort) => onChange({ sort: sort === DEFAULT_SORT ? undefined : (sort as JobSort) })}
        />
        <ColumnMenu columns={columns} onChange={onColumns} />
      </div>
    </search>
  );
}

/** Projects are asked for when the menu opens. */
function ProjectMenu({ chosen, onChange }: { chosen: string | undefined; onChange: (project: string | undefined) => void }) {
  const t = useT();
  const [opened, setOpened] = useState(false);
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal), enabled: opened });
  const names = projects.data?.map(({ name }) => name) ?? [];
  if (chosen !== undefined && !names.includes(chosen)) names.unshift(chosen);
  return (
    <OneMenu
      label={t('jobs.project')}
      any={t('jobs.anyProject')}
      choices={names.map((value) => ({ value, label: value }))}
      chosen={chosen}
      note={projects.isPending ? t('state.loading') : projects.isError ? t('jobs.noProjects') : undefined}
      onOpened={setOpened}
      onChange={onChange}
    />
  );
}
