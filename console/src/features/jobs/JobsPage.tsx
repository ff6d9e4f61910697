/** The page of the job list: views, filters and the table itself. */
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/States';
import { useColumnChoice, useFittingColumns } from './column-choice';
import { FilterChips } from './FilterChips';
import { JobFilters } from './JobFilters';
import { JobTable } from './JobTable';
import { isFiltered, NO_FILTERS, toQuery } from './search';
import type { JobsSearch } from './search';
import { useJobList } from './useJobList';
import { ViewStrip } from './ViewStrip';
import style from './Jobs.module.css';

const route = getRouteApi('/app/jobs');

export function JobsPage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, choose] = useColumnChoice();
  const fitting = useFittingColumns();
  // The same object until it asks for something else: it is the key of everything below.
  const asked = JSON.stringify(toQuery(search));
  const list = useJobList(useMemo(() => JSON.parse(asked) as ReturnType<typeof toQuery>, [asked]));

  const go = (next: JobsSearch) => void navigate({ search: next });
  const change = (part: Partial<JobsSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => change(NO_FILTERS);
  const columns = chosen ?? fitting;

  return (
    <Page title={t('jobs.title')} fill>
      <ViewStrip search={search} columns={chosen} onOpen={go} onColumns={choose} />
      <JobFilters search={search} columns={columns} onChange={change} onColumns={choose} />
      <FilterChips search={search} onChange={change} onReset={reset} />
      <div className={style.tableFrame}>
        {list.status === 'pending' && <Skeleton rows={12} />}
        {list.status === 'error' && <ErrorState error={list.error} retry={list.retry} />}
        {list.status === 'success' && list.rows.length === 0 && <Nothing filtered={isFiltered(search) || search.sort === '-ended'} onReset={() => change({ ...NO_FILTERS, sort: undefined })} />}
        {list.status === 'success' && list.rows.length > 0 && <JobTable list={list} scope={asked} columns={columns} sort={search.sort} onSort={(sort) => change({ sort })} />}
      </div>
    </Page>
  );
}

function NewJob() {
  const t = useT();
  return (
    <Button leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to="/jobs/new" {...props} />}>
      {t('jobs.new')}
    </Button>
  );
}

function Nothing({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  const t = useT();
  if (filtered) {
    const reset = <Button variant="default" onClick={onReset}>{t('jobs.reset')}</Button>;
    return <EmptyState icon="filter" title={t('jobs.noMatch')} action={reset}>{t('jobs.noMatchText')}</EmptyState>;
  }
  return <EmptyState icon="jobs" title={t('jobs.none')} action={<NewJob />}>{t('jobs.noneText')}</EmptyState>;
}
