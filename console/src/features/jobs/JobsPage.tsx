/** The page of the job list: views, filters and the table itself. */
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useCommands } from '@/app/commands';
import type { Command } from '@/app/commands';
import { useT } from '@/app/i18n';
import { usePreferences } from '@/app/preferences';
import { useMaySubmit } from '@/app/session';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { FilterChips } from './filters/FilterChips';
import { JobFilters } from './filters/JobFilters';
import { JobTable } from './JobTable';
import { isFiltered, NO_FILTERS, toQuery } from './search';
import type { JobsSearch } from './search';
import { useColumns } from './views/useColumns';
import { useJobList } from './useJobList';
import { ownViews } from './views/views';
import { ViewStrip } from './views/ViewStrip';
import style from './Jobs.module.css';

const route = getRouteApi('/app/jobs');
const NONE: Command[] = [];

export function JobsPage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const views = usePreferences()?.views;
  const { chosen, shown, choose } = useColumns(views && ownViews(views).find(({ name }) => name === search.view));
  // The same object until it asks for something else: it is the key of everything below.
  const asked = JSON.stringify(toQuery(search));
  const list = useJobList(useMemo(() => JSON.parse(asked) as ReturnType<typeof toQuery>, [asked]));

  const go = (next: JobsSearch) => void navigate({ search: next });
  const change = (part: Partial<JobsSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => change(NO_FILTERS);

  useCommands(isFiltered(search) ? [{ id: 'jobs.reset', label: t('jobs.reset'), icon: 'filter', run: reset }] : NONE);

  return (
    <Page title={t('jobs.title')} fill>
      <ViewStrip search={search} columns={chosen} onOpen={go} />
      <JobFilters search={search} columns={shown} onChange={change} onColumns={choose} />
      <FilterChips search={search} onChange={change} onReset={reset} />
      <div className={style.tableFrame}>
        {list.status === 'pending' && <Skeleton rows={12} />}
        {list.status === 'error' && <ErrorState error={list.error} retry={list.retry} />}
        {list.status === 'success' && list.rows.length === 0 && (
          <Nothing filtered={isFiltered(search) || search.sort === '-ended'} onReset={() => change({ ...NO_FILTERS, sort: undefined })} />
        )}
        {list.status === 'success' && list.rows.length > 0 && (
          <JobTable list={list} scope={asked} columns={shown} sort={search.sort} onSort={(sort) => change({ sort })} />
        )}
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
  const maySubmit = useMaySubmit();
  if (filtered) {
    const reset = (
      <Button variant="default" onClick={onReset}>
        {t('jobs.reset')}
      </Button>
    );
    return (
      <EmptyState icon="filter" title={t('jobs.noMatch')} action={reset}>
        {t('jobs.noMatchText')}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="jobs" title={t('jobs.none')} action={maySubmit && <NewJob />}>
      {t('jobs.noneText')}
    </EmptyState>
  );
}
